// Hands that come in from own phones while a round is entered: they fill empty rows, never what was typed.
(() => {
  "use strict";
  const EVERY = 2000, PATIENCE = 8000;
  const list = () => document.getElementById("hands-in");
  const filled = {}; // seat → the value that was put there from its phone
  let asked = 0;

  const put = (row, fig, { dataset: { for: seat, value, count, marker } }) => {
    const field = row.querySelector(".cnt"), tick = row.querySelector("[type=checkbox]");
    filled[seat] = value;
    fig.value = value;
    if (field) field.value = count || "";
    if (tick && marker !== undefined) tick.checked = true;
    row.classList.remove("raw");
    fig.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // What stands under the name: whose phone it came from, or that the phone says otherwise, with one tap to take it.
  const say = (row, one, fig) => {
    const line = row.querySelector("[data-says]"), { value, says, sent } = one.dataset;
    if (!line) return;
    const same = fig ? fig.value.trim() === value : value === "0";
    const text = value === undefined || same ? sent : says;
    const takes = value !== undefined && !same && fig;
    if (line.dataset.text === `${text}${!!takes}`) return;
    line.dataset.text = `${text}${!!takes}`;
    line.hidden = false;
    line.replaceChildren(text);
    if (!takes) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "lone";
    button.textContent = list().dataset.take;
    button.addEventListener("click", () => { put(row, fig, one); apply(); });
    line.append(" ", button);
  };

  function apply() {
    for (const one of list()?.children || []) {
      const row = document.getElementById(`row-${one.dataset.for}`), { for: seat, value } = one.dataset;
      if (!row) continue;
      const fig = row.querySelector(".fig"), typed = fig?.value.trim();
      const free = typed === "" && filled[seat] !== value || typed && typed === filled[seat] && typed !== value;
      // The row that is open may be about to be typed in: there the phone only says it.
      if (fig && value !== undefined && free && !(row.classList.contains("now") && document.hasFocus() && typed === "" && row.contains(document.activeElement))) put(row, fig, one);
      say(row, one, fig);
    }
  }

  const ask = () => {
    const one = list();
    if (!one || !window.htmx || document.hidden || (asked && Date.now() - asked < PATIENCE)) return;
    asked = Date.now();
    htmx.trigger(one, "poll");
  };
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.target?.id === "hands-in") asked = 0; });
  document.addEventListener("htmx:afterSettle", apply);
  document.addEventListener("input", (event) => { if (event.target.closest("[data-hand]")) apply(); });
  document.addEventListener("focusout", () => setTimeout(apply));
  document.addEventListener("visibilitychange", ask);
  setInterval(ask, EVERY);
  for (const one of list()?.children || []) { // the page came with them
    const fig = document.querySelector(`#row-${one.dataset.for} .fig`);
    if (fig && fig.defaultValue && fig.defaultValue === one.dataset.value) filled[one.dataset.for] = one.dataset.value;
  }
  apply();
})();
