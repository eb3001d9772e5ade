// The Print button. Without it the browser's own menu prints the same page.
(() => {
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-print]")) window.print();
  });
})();
