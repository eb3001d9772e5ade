// On a club's new game: typing in the field finds members among the chips. Without it, the Find button does.
(() => {
  "use strict";
  const field = document.querySelector("[data-find-chip]");
  if (!field) return;
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const others = document.querySelector(".other-chips");
  field.addEventListener("input", (event) => {
    event.stopPropagation(); // it is no name of a player
    const wanted = plain(field.value.trim());
    for (const chip of document.querySelectorAll(".chip[data-name]"))
      chip.classList.toggle("not-found", !plain(chip.dataset.name).includes(wanted));
    if (others) others.open = !!wanted;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // Enter takes the first one found, and starts nothing
    document.querySelector(".chip[data-name]:not(.not-found, [hidden])")?.click();
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
