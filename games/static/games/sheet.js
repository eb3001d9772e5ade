// Sheets over the board, the board's news, and moments in the phone's own time. All works without it: each
// sheet is a page, and a reload brings the news.
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

  if (!sheet || !sheet.showModal) return;
  const isOpen = () => history.state && history.state.sheet;
  const close = () => (isOpen() ? history.back() : sheet.close());

  // Back closes the sheet: an open one is an entry of the history at the board's own address.
  if (isOpen()) history.back();
  addEventListener("popstate", () => sheet.open && sheet.close());
  document.addEventListener("htmx:afterSwap", (event) => {
    tell(event.target);
    if (event.target !== sheet || sheet.open) return;
    history.pushState({ sheet: true }, "");
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

  const poll = () => {
    const board = document.querySelector("[data-poll]");
    if (board && window.htmx && !document.hidden && !sheet.open) htmx.trigger(board, "poll");
  };
  setInterval(poll, 3000);
  setInterval(tell, 30000);
  document.addEventListener("visibilitychange", poll);
})();
