// A record that is being written: focus follows the turn, what could not be sent is said, and what another phone wrote
// comes in without disturbing who holds this one (watch.js asks for it). The page works without it.
(() => {
  "use strict";
  const AIM = 500; // milliseconds in which a tap may still be meant for what stood there before
  const SCROLLED = ["#main", "#bar", ".chips-row", ".where-to", ".record-text", ".run"];
  const one = (what) => document.querySelector(what);
  const all = (what) => [...document.querySelectorAll(what)];
  const news = (event) => (event.detail.requestConfig || event.detail).elt?.matches("[data-poll]");
  const failed = (how) => { for (const part of all("[data-failed]")) part.hidden = part.dataset.failed !== how; };
  const KINDS = { sendError: "offline", timeout: "offline", responseError: "site" };
  for (const kind in KINDS) document.addEventListener(`htmx:${kind}`, (event) => news(event) || failed(KINDS[kind]));
  const near = () => {
    one(".train-row.on")?.scrollIntoView({ block: "nearest" });
    one(".chips-row [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  near();

  // News are for the page that asked: not for one that was tapped since, or on which a finger lies.
  let asked;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (news(event)) asked = one("#bar"); else failed();
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const busy = one(".htmx-request:not([data-poll]), button:active, a:active, summary:active");
    if (news(event) && (busy || asked !== one("#bar"))) event.preventDefault();
  });

  // Points that are typed and not sent stay, and so does the hand they are of.
  let typed;
  const begun = (field) => field && (field.value !== field.defaultValue || "typed" in field.dataset);
  document.addEventListener("htmx:configRequest", (event) => {
    const field = one("#points");
    if (news(event) && field && (begun(field) || field === document.activeElement)) event.detail.parameters.who = field.dataset.player;
  });

  const same = (part, other) => part.localName === "input" ? part.name === other.name
    : ["name", "value", "href"].every((name) => part.getAttribute(name) === other.getAttribute(name))
      && (part.localName !== "summary" || part.textContent === other.textContent);
  const hold = () => {
    const focused = document.activeElement, field = one("#points");
    if (begun(field)) typed = [field.name, field.value];
    return {
      focused: focused.closest("#head, #main, #bar") && focused,
      caret: focused === field && [field.selectionStart, field.selectionEnd],
      folds: all("#main details[open] > summary"),
      scrolled: SCROLLED.map((what) => all(what).map((part) => [part.scrollLeft, part.scrollTop])),
      version: one("#taps [name=version]").value,
    };
  };
  const restore = ({ focused, caret, folds, scrolled, version }) => {
    const field = one("#points"), shown = one("#taps [name=version]"), newest = shown.value;
    if (typed && field?.name === typed[0]) field.value = typed[1];
    for (const part of all("#main summary")) if (folds.some((old) => same(part, old))) part.parentNode.open = true;
    if (focused) {
      const found = all(focused.localName).find((part) => focused.id ? part.id === focused.id && same(part, focused) : same(part, focused));
      (found || one("#turn"))?.focus({ preventScroll: true });
      if (caret && found) found.setSelectionRange(...caret);
    }
    SCROLLED.forEach((what, at) => all(what).forEach((part, place) => part.scrollTo(...(scrolled[at][place] || [0, 0]))));
    shown.value = version; // a tap that was aimed at the page before is told what was written, not taken for another one
    setTimeout(() => { shown.value = newest; }, AIM);
  };
  let held;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.shouldSwap) return;
    held = news(event) ? hold() : undefined;
    if (!held) typed = undefined;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "main") return;
    if (held) return restore(held);
    near();
    const tapped = event.detail.requestConfig?.verb === "post";
    (one("#said") || (!tapped && one("#bar [aria-current]")) || one("#turn"))?.focus({ preventScroll: true });
  });
})();
