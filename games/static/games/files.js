// Copies the text, and turns the picture into a PNG, on the phone itself. Without it the files are there all the same.
(() => {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy-text], [data-png]");
    if (!button) return;
    if (button.dataset.copyText) copy(document.getElementById(button.dataset.copyText), button);
    else save(document.getElementById(button.dataset.png), button.dataset.name);
  });

  // Over plain http there is no clipboard, but a selected text can still be copied.
  const copy = (field, button) => {
    field.select();
    if (!document.execCommand("copy")) return;
    button.querySelector("span").textContent = button.dataset.sayDone;
  };

  const save = (picture, name) => {
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth * 1.5;
    canvas.height = picture.naturalHeight * 1.5;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }, "image/png");
  };
})();
