// A record that is being written: focus follows the turn, and what could not be sent is said. The page works without it.
(() => {
  "use strict";
  const one = (what) => document.querySelector(what);
  const failed = (how) => { for (const part of document.querySelectorAll("[data-failed]")) part.hidden = part.dataset.failed !== how; };
  const KINDS = { sendError: "offline", timeout: "offline", responseError: "site" };
  for (const kind in KINDS) document.addEventListener(`htmx:${kind}`, () => failed(KINDS[kind]));
  document.addEventListener("htmx:beforeRequest", () => failed());
  const near = () => {
    one(".train-row.on")?.scrollIntoView({ block: "nearest" });
    one(".chips-row [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  near();
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "main") return;
    near();
    const tapped = event.detail.requestConfig?.verb === "post";
    (one("#said") || (!tapped && one("#bar [aria-current]")) || one("#turn"))?.focus({ preventScroll: true });
  });
})();
