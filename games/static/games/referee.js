// Stepping through a round by arrow keys and swipes, and the place of a mistake in the text of a record. Both
// pages work without it: each step is a link, and each mistake is told with its line.
(() => {
  "use strict";
  const root = document.documentElement;
  const step = (name) => document.querySelector(`[data-step="${name}"]`)?.click();
  const back = root.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  const on = root.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const KEYS = { [back]: "back", [on]: "on", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !document.getElementById("step")) return;
    if (!KEYS[event.key] || event.target.closest("input, textarea, select, [contenteditable], pre")) return;
    event.preventDefault();
    step(KEYS[event.key]);
  });

  // A swipe to the left goes on. One that begins in a row that scrolls scrolls that row.
  let from;
  document.addEventListener("touchstart", (event) => {
    const run = event.target.closest(".run, pre");
    const one = event.touches.length === 1 && event.target.closest("main") && !(run && run.scrollWidth > run.clientWidth + 1);
    from = one ? event.touches[0] : undefined;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!from || !document.getElementById("step")) return;
    const to = event.changedTouches[0], right = to.clientX - from.clientX, down = to.clientY - from.clientY;
    from = undefined;
    if (Math.abs(right) < 48 || Math.abs(right) < 2 * Math.abs(down)) return;
    step(right < 0 === (root.dir !== "rtl") ? "on" : "back");
  }, { passive: true });

  // What had the focus is there again after the step, or its neighbour where the round ends.
  let held;
  document.addEventListener("htmx:beforeSwap", () => { held = document.activeElement?.id; });
  document.addEventListener("htmx:afterSettle", () => {
    if (!held || document.activeElement !== document.body) return;
    const near = { "step-on": "step-back", "step-last": "step-first", "step-back": "step-on", "step-first": "step-last" };
    (document.getElementById(held) || document.getElementById(near[held]))?.focus({ preventScroll: true });
    held = undefined;
  });

  // A text that is too long is told before it is sent. A file is shown at once, unless what was typed would go.
  const field = document.querySelector("textarea[name=record]"), form = field?.form;
  const over = form?.querySelector("[data-most]"), opened = form?.querySelector("[data-opened]");
  const file = form?.querySelector("input[type=file]"), most = Number(over?.dataset.most);
  const long = () => over && !(over.hidden = field.value.length <= most);
  let shown = "";
  form?.addEventListener("input", (event) => { if (event.target === field) { long(); opened.hidden = true; } });
  form?.addEventListener("submit", (event) => {
    if (!long()) return;
    event.preventDefault();
    field.focus();
  });
  form?.addEventListener("draft:restored", () => {
    const fold = field.closest("details");
    if (fold && field.value.trim()) fold.open = true; // nothing is sent that is not seen
  });
  const show = async () => {
    const [one] = file.files;
    if (!one || one.size > 4 * most || (field.value.trim() && field.value !== shown)) return;
    const text = await one.text();
    if (!text.trim() || /[\0\ufffd]/.test(text)) return; // the site says what is wrong with it
    field.value = text.replace(/^\ufeff/, "");
    shown = field.value;
    file.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    opened.hidden = false;
    opened.querySelector("b").textContent = one.name;
  };
  // What the site mended is the phone's draft from now on, as if it were typed.
  const mended = () => document.querySelector("[data-mended]") && field.dispatchEvent(new Event("input", { bubbles: true }));
  if (field) document.addEventListener("DOMContentLoaded", mended);
  if (file) {
    file.addEventListener("change", show);
    document.addEventListener("DOMContentLoaded", show); // chosen before this script came, a draft being back by now
  }
  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-line]");
    if (!place || !field) return;
    event.preventDefault();
    const lines = field.value.split("\n").slice(0, place.dataset.line - 1);
    const start = lines.reduce((sum, line) => sum + line.length + 1, 0) + Number(place.dataset.column) - 1;
    field.focus();
    field.setSelectionRange(start, start + Number(place.dataset.length));
    field.scrollTop = (field.scrollHeight / field.value.split("\n").length) * Math.max(0, place.dataset.line - 4);
  });
})();
