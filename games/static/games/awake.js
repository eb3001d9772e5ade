// The screen stays awake while a game is being played on it; the switch is on the page "This phone". Quiet where it
// cannot be: browsers offer it over https alone, and give it back when the page is hidden or the battery is low.
(() => {
  "use strict";
  const cannot = document.querySelector("[data-cannot-wake]"); // the switch's own page
  if (cannot) cannot.hidden = "wakeLock" in navigator;
  if (cannot || !navigator.wakeLock) return;
  let held = null, asked = false;
  const over = () => document.querySelector("[data-over]");
  const see = async () => {
    if (held && over()) {
      const gone = held;
      held = null;
      return gone.release().catch(() => {});
    }
    if (asked || document.hidden || over() || (held && !held.released)) return;
    asked = true;
    held = await navigator.wakeLock.request("screen").catch(() => null);
    asked = false;
    if (held && over()) see();
  };
  document.addEventListener("visibilitychange", see);
  document.addEventListener("htmx:afterSettle", see); // the last round came in, or was taken back
  addEventListener("pageshow", see);
})();
