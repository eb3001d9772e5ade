// "Use this card": what is typed on this phone for a new game stays, with the other card chosen in it.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-card]");
  if (!link) return;
  const start = `draft:${link.parentNode.dataset.cards}`;
  const cards = [...document.querySelectorAll("#left option")].map((one) => one.value);
  try {
    for (const key of Object.keys(localStorage)) {
      if (key !== start && !(start.endsWith(":") && key.startsWith(start))) continue;
      const kept = JSON.parse(localStorage.getItem(key));
      if (!kept || !kept.preset) continue;
      kept.preset = cards.map((code) => code === link.dataset.card);
      localStorage.setItem(key, JSON.stringify(kept));
    }
  } catch { /* no storage: nothing was kept */ }
});
