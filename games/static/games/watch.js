// A board that is watched follows the game, a page that writes a record the other phones: it asks every two seconds
// while somebody can see it, and again at once when the phone wakes or is back on the network. The page works without
// it: a reload brings the news.
(() => {
  "use strict";
  const EVERY = 2000, PATIENCE = 8000, HIDE = 3000;
  const root = document.documentElement;
  const lang = navigator.language.startsWith(root.lang) ? navigator.language : root.lang;
  const board = () => document.querySelector("[data-poll]");
  let good = Date.now(), asked = 0, failed = 0;

  // Quietly: since when the board may be out of date. The next answer takes it away.
  const tell = () => {
    const line = document.getElementById("stale");
    if (!line || line.textContent || failed < 2) return;
    const since = new Date(good).toLocaleTimeString(lang, { hour: "numeric", minute: "2-digit" });
    line.textContent = line.dataset.say.replace("%s", since);
    root.classList.add("stale");
  };
  const heard = () => {
    good = Date.now();
    failed = 0;
    root.classList.remove("stale");
    const line = document.getElementById("stale");
    if (line) line.textContent = "";
  };

  const ask = (patience = PATIENCE) => {
    const one = board();
    if (!one || !window.htmx || document.hidden || document.querySelector("dialog[open]")) return;
    if (asked && Date.now() - asked < patience) return;
    if (asked) htmx.trigger(one, "htmx:abort"); // sent before the phone slept, or into a network that is gone
    asked = Date.now();
    htmx.trigger(one, "poll");
  };
  const now = () => ask(0);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.requestConfig?.elt?.matches("[data-poll]")) return;
    asked = 0;
    const status = event.detail.xhr?.status || 0;
    if (status === 404) return location.reload(); // the link was stopped: say so
    if (status >= 200 && status < 300) return heard();
    failed += 1;
    tell();
  });

  // A sentence that was read out is not read out again when the news have another reason, as a tap at the table.
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    if (detail.target.id === "news" && detail.target.textContent === detail.fragment.textContent) detail.shouldSwap = false;
  });

  // What had the focus may be gone with the news: the board has it then, not nobody.
  let inside;
  document.addEventListener("htmx:beforeSwap", () => { inside = document.activeElement !== document.body; });
  document.addEventListener("htmx:afterSettle", () => {
    if (inside && document.activeElement === document.body) document.getElementById("main").focus({ preventScroll: true });
    inside = false;
  });

  setInterval(ask, EVERY, PATIENCE);
  document.addEventListener("visibilitychange", now);
  document.addEventListener("close", now, true); // a sheet
  addEventListener("pageshow", (event) => event.persisted && now());
  addEventListener("online", now);
  addEventListener("offline", () => { failed = 2; tell(); });

  // On a television the pointer goes when it rests.
  if (document.body?.classList.contains("tv")) {
    let rest;
    const move = () => {
      root.classList.remove("idle");
      clearTimeout(rest);
      rest = setTimeout(() => root.classList.add("idle"), HIDE);
    };
    document.addEventListener("mousemove", move);
    move();
  }
})();
