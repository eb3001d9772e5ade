// Sheets over the board, moments in the phone's own time, and links that are copied or sent. All works without
// it: each sheet is a page, and a link can be selected.
(() => {
  const sheet = document.getElementById("sheet");
  const page = document.documentElement.lang;
  const lang = navigator.language.startsWith(page) ? navigator.language : page;

  // Each moment says itself again: how long ago, or the hour in this phone's time zone.
  const tell = (root = document) => {
    for (const time of root.querySelectorAll("time[data-ago]")) {
      const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60000);
      if (minutes < 1 || minutes >= 1440 || !sheet) continue;
      const hours = minutes >= 60;
      time.textContent = (hours ? sheet.dataset.hours : sheet.dataset.minutes).replace("%s", hours ? Math.floor(minutes / 60) : minutes);
    }
    for (const time of root.querySelectorAll("time[data-clock]")) {
      time.textContent = new Date(time.dateTime).toLocaleString(lang, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
      delete time.dataset.clock;
    }
  };
  tell();

  // After something was saved on another page of this game, or undone here, the notice is read first.
  const [come] = performance.getEntriesByType("navigation");
  const notice = document.getElementById("notice");
  if (notice && come && come.type === "navigate" && document.referrer.startsWith(location.origin + location.pathname)) {
    notice.focus({ preventScroll: true });
  }

  // Copy and Send show themselves only where they work: by plain http a browser sends nothing, but may copy.
  const html = document.documentElement;
  const old = () => document.queryCommandSupported?.("copy");
  html.classList.toggle("can-copy", !!navigator.clipboard || !!old());
  html.classList.toggle("can-send", !!navigator.share);
  const copied = async (field) => {
    try {
      if (navigator.clipboard) return await navigator.clipboard.writeText(field.value);
    } catch {} // refused: as where there is none
    field.select();
    if (!document.execCommand("copy")) throw new Error();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy], [data-send]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy || button.dataset.send);
    if (button.dataset.send) return navigator.share({ title: button.dataset.title, url: field.value }).catch(() => {});
    copied(field).then(() => {
      button.querySelector("span").textContent = button.dataset.say;
    }, () => field.select());
  });

  if (!sheet || !sheet.showModal) return;
  const isOpen = () => history.state && history.state.sheet;
  const close = () => (isOpen() ? history.back() : sheet.close());

  // Back closes the sheet: an open one is an entry of the history at the board's own address.
  if (isOpen()) history.back();
  addEventListener("popstate", () => sheet.open && sheet.close());
  document.addEventListener("htmx:afterSwap", (event) => {
    tell(event.target);
    if (event.target !== sheet) return;
    if (sheet.open) { // another sheet in its place: what was pressed may be gone
      if (!sheet.contains(document.activeElement)) (sheet.querySelector("[data-focus]") || sheet.querySelector("[data-close]"))?.focus();
      return;
    }
    history.pushState({ sheet: true }, "");
    document.getElementById(event.detail.requestConfig.elt.id)?.focus({ preventScroll: true }); // closed, it goes back there
    sheet.showModal();
  });
  for (const failed of ["htmx:sendError", "htmx:responseError"]) {
    document.addEventListener(failed, (event) => {
      if (event.detail.target === sheet && event.detail.elt.href) location.assign(event.detail.elt.href);
    });
  }
  sheet.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  sheet.addEventListener("click", (event) => {
    const outside = event.target === sheet && event.clientY < sheet.getBoundingClientRect().top;
    if (outside || event.target.closest("[data-close]")) close();
  });
  setInterval(tell, 30000);
})();
