// The number pad and the tile pad, for any form with data-pad; templates/components/pad.html says what they need.
// It stands at the page's end and runs at once, before the page is first drawn: the keys do not push the rows about.
(() => {
  const $ = (query, from = document) => from.querySelector(query);
  const $$ = (query, from = document) => [...from.querySelectorAll(query)];
  const body = document.body.classList;
  const quiet = (act) => { try { return act(); } catch { return null; } }; // a phone without storage
  const TILE = /^\d+-\d+$/;
  const SUM = /^\d+(\s*\+\s*\d+)*\s*\+?$/;
  let form, pad, tilePad, next, hands, fields, hand, field, half, last;
  let over = ""; // digits typed over tiles, or a tile tapped over digits: asked for, not yet in the field
  let ask = "first"; // what the line above the tiles says
  let owner; // whose the tapped tile is

  const toggle = (node, classes) => { for (const one in classes) node.classList.toggle(one, !!classes[one]); };
  const fill = (text, word, other) => text.replace(/%[snt]/g, (found) => (found === "%s" ? word : other));
  const fig = (one) => $(".fig", one);
  const put = (node, text) => { if (node) node.textContent = text; };
  const name = (high, low) => (high < low ? `${low}-${high}` : `${high}-${low}`);
  const tilesOf = (text) => {
    const parts = text.trim().split(/[\s,+]+/);
    return parts.every((part) => TILE.test(part)) ? parts.map((part) => name(...part.split("-").map(Number))) : [];
  };
  const cost = (tile) => {
    if (form.dataset.each) return +form.dataset.each;
    return tile === "0-0" ? +form.dataset.blank : tile.split("-").reduce((sum, pips) => sum + +pips, 0);
  };
  const worth = (text) => {
    const tiles = tilesOf(text);
    if (tiles.length) return String(tiles.reduce((sum, tile) => sum + cost(tile), 0));
    return SUM.test(text) ? String(text.split("+").reduce((sum, part) => sum + +part, 0)) : text;
  };
  const tiled = (one) => tilesOf(fig(one).value).length > 0 && !one.classList.contains("raw");

  // Where Next goes: to the first hand without a value, from this one on
  const nextHand = () => {
    const at = fields.indexOf(hand);
    return [...fields.slice(at + 1), ...fields.slice(0, Math.max(at, 0))].find((one) => !fig(one).value.trim());
  };

  function fromTemplate(which, ...halves) {
    const node = $(`template[data-${which}]`).content.firstElementChild.cloneNode(true);
    $$('[href^="#h"]', node).forEach((use, at) => {
      use.setAttribute("href", `#h${halves[at]}`);
      use.setAttribute("class", `p${halves[at] > 12 ? halves[at] - 12 : halves[at]}`);
    });
    return node;
  }

  function paint() {
    for (const one of hands) {
      const text = fig(one).value.trim(), tiles = tiled(one) ? tilesOf(text) : [];
      const count = $(".cnt", one), sum = worth(text);
      toggle(one, {
        now: one === hand,
        blank: !text,
        tiled: tiles.length,
        lengthy: text.length > 6,
        longest: text.length > 10,
        counted: count?.value && !tiles.length,
        marked: $("[type=checkbox]:checked", one),
      });
      put($("[data-sum]", one), sum);
      put($("[data-eq]", one), tiles.length || text.includes("+") ? sum : "");
      put($(`[data-to="${one.dataset.seat}"] [data-value]`), sum);
      const note = $(".if-count", one);
      if (note) put(note, +count.value === 1 ? note.dataset.one : fill(note.dataset.more, count.value));
      const laid = $(".laid", one);
      if (laid && laid.dataset.text !== (laid.dataset.text = tiles.join(" "))) {
        laid.replaceChildren(...tiles.map((tile) => {
          const button = fromTemplate("laid", ...tile.split("-"));
          button.dataset.key = "take";
          button.dataset.tile = tile;
          button.ariaLabel = fill(tilePad.dataset.out, tile);
          return button;
        }));
      }
    }
    for (const one of $$("[data-to]")) one.ariaCurrent = one.dataset.to === hand?.dataset.seat ? "true" : null;
    paintReplace();
    paintTiles();
    paintNext();
  }

  function paintNext() {
    if (next.classList.contains("busy")) return;
    const to = nextHand(), value = hand ? fig(hand).value.trim() : "";
    const bad = !to && (!value || $$(".hand.bad").length > 0);
    put(next.firstElementChild || next, to ? fill(next.dataset.next, to.dataset.name) : value ? fill(next.dataset.save, worth(value)) : next.dataset.plain);
    toggle(next, { long: next.textContent.length > 14, held: bad, primary: !bad });
  }

  function paintReplace() {
    const box = $("[data-replace]");
    box.hidden = !over;
    body.toggle("asking", !!over);
    if (!over) return;
    const words = box.dataset, value = worth(fig(hand).value), count = tilesOf(fig(hand).value).length, no = $("[data-key=no]", box);
    put($("p", box), TILE.test(over) ? fill(words.tile, value, over.replace("-", "\u2011"))
      : count === 1 ? fill(words.one, worth(over)) : fill(words.more, worth(over), words.words.split("|")[count - 2] || count));
    put(no, TILE.test(over) ? fill(no.dataset.number, value) : no.dataset.tiles);
  }

  function paintTiles() {
    if (!tilePad || tilePad.hidden) return;
    const picks = $(".picks", tilePad), mine = tilesOf(fig(hand).value), words = tilePad.dataset;
    for (const one of $$("[data-half]", tilePad)) one.ariaPressed = one.dataset.half === half;
    if (picks.dataset.of !== half) {
      picks.dataset.of = half;
      picks.replaceChildren(...(half === "" ? [] : $$("[data-half]", tilePad)).map((one) => {
        const pick = fromTemplate("pick", +half, +one.dataset.half);
        pick.dataset.key = "pick";
        pick.dataset.tile = name(+half, +one.dataset.half);
        put($(".nm", pick), `${half}\u2011${one.dataset.half}`);
        return pick;
      }));
      picks.scrollTop = 0;
    }
    for (const pick of picks.children) {
      const tile = pick.dataset.tile, holder = holderOf(tile), engine = isEngine(tile);
      const why = engine ? words.isEngine : holder ? fill(words.taken, holder.dataset.name, tile) : "";
      toggle(pick, { in: mine.includes(tile), taken: holder, engine });
      pick.ariaPressed = mine.includes(tile);
      pick.ariaLabel = why ? `${tile}: ${why}` : null;
      $(".mk", pick)?.remove();
      const mark = holder && $(".mk", holder);
      if (mark) pick.append(mark.cloneNode(true));
      if (engine) put($(".nm", pick), words.isEngine);
    }
    put($(".ask b", tilePad), {
      first: words.first,
      then: fill(words.then, half),
      engine: words.engine,
      taken: owner ? fill(words.taken, owner.dataset.name, last) : "",
    }[ask]);
    for (const one of $$("[data-ask]", tilePad)) one.hidden = one.dataset.ask !== ask;
    const go = $("[data-key=go]");
    go.hidden = ask !== "taken" || !fields.includes(owner);
    if (!go.hidden) put(go, fill(go.dataset.go, owner.dataset.name));
  }

  const isEngine = (tile) => tile === `${form.dataset.engine}-${form.dataset.engine}`;
  const holderOf = (tile) => hands.find((one) => one !== hand && tilesOf(fig(one).value).includes(tile));

  function open(one, input = fig(one)) {
    if (hand && hand !== one) hand.classList.remove("raw");
    hand = one;
    field = input;
    over = half = "";
    ask = "first";
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
    paint();
    const main = $("main"), strip = $(".strip"), top = (node) => node.getBoundingClientRect().top;
    if (strip && strip.offsetHeight) { // the open hand stays third
      const before = one.previousElementSibling, third = before?.previousElementSibling || before || one;
      main.scrollTop += top(third) - top(main) - strip.offsetHeight;
      const mark = $("[aria-current]", strip);
      if (mark) strip.scrollLeft = mark.offsetLeft - strip.clientWidth / 2 + 24;
    } else one.scrollIntoView({ block: "nearest" });
  }

  function set(value, caret = value.length) {
    field.value = value;
    field.setSelectionRange(caret, caret);
    field.scrollLeft = field.scrollWidth;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function setTiles(tiles) {
    const count = $(".cnt", hand);
    if (tiles.length && count) count.value = "";
    field = fig(hand);
    set(tiles.join(" "));
  }

  // What one key adds behind `text`; a 0 in front of another digit goes.
  const add = (text, digit) => {
    if (digit !== "+") return text.replace(/(^|\+)0$/, "$1") + digit;
    return /\d$/.test(text) ? `${text}+` : text;
  };

  function type(digit) {
    if (TILE.test(over)) over = "";
    if (field === fig(hand) && tiled(hand)) over = add(over, digit);
    else if (field !== fig(hand) && (digit === "+" || field.value.length > 2)) return;
    else {
      const from = field.selectionStart, before = add(field.value.slice(0, from), digit);
      if (before.length < 60) return set(before + field.value.slice(field.selectionEnd), before.length);
    }
    paint();
  }

  function back() {
    if (over) over = TILE.test(over) ? "" : over.slice(0, -1);
    else if (field === fig(hand) && tiled(hand)) return setTiles(tilesOf(field.value).slice(0, -1));
    else {
      const from = field.selectionStart, to = field.selectionEnd, start = from === to ? Math.max(from - 1, 0) : from;
      return set(field.value.slice(0, start) + field.value.slice(to), start);
    }
    paint();
  }

  function tileMode(on) {
    if (!tilePad) return;
    tilePad.hidden = !on;
    body.toggle("tiling", on);
    pad.classList.toggle("pad-tiles", on);
    open(hand);
  }

  function pick({ dataset: { tile } }) {
    const mine = tilesOf(fig(hand).value), has = mine.includes(tile);
    over = "";
    owner = holderOf(tile);
    last = tile;
    ask = has || !(isEngine(tile) || owner) ? (half ? "then" : "first") : isEngine(tile) ? "engine" : "taken";
    if (!mine.length && fig(hand).value.trim() && /first|then/.test(ask)) over = tile;
    if (over || ask === "engine" || ask === "taken") paint();
    else setTiles(has ? mine.filter((one) => one !== tile) : [...mine, tile]);
  }

  const KEYS = {
    back,
    clear: () => { over = ""; set(""); },
    tiles: () => tileMode(true),
    numbers: () => tileMode(false),
    yes: () => { const value = over; over = ""; TILE.test(value) ? setTiles([value]) : set(value); },
    no: () => { over = ""; paint(); },
    go: () => open(owner),
    take: pick,
    pick,
  };

  // Saving

  function failed(which) {
    for (const one of $$("[data-failed]")) one.hidden = one.dataset.failed !== which;
    body.toggle("failed", !!which);
  }

  let said = 0, timer;
  function say(text) { // at most once a second
    clearTimeout(timer);
    timer = setTimeout(() => { said = Date.now(); put($("[data-live]"), text); }, Math.max(0, said + 1000 - Date.now()));
  }

  function checked() { // the line above the pad is new: mark the rows it is about
    const line = $("#said");
    if (!line) return;
    const bad = line.dataset.bad.split(" ");
    $$(".hand[data-seat]").forEach((one) => {
      const wrong = bad.includes(one.dataset.seat);
      one.classList.toggle("bad", wrong);
      const input = $(".fig", one), mark = $(`[data-to="${one.dataset.seat}"]`);
      if (input) input.ariaInvalid = wrong;
      mark?.classList.toggle("bad", wrong);
    });
    paintNext();
    say(line.innerText);
    if (hand && !$(".strip")) hand.scrollIntoView({ block: "nearest" });
  }

  function start(loaded) {
    form = $("form[data-pad]");
    pad = $(".pad");
    if (!form || !pad) return;
    tilePad = $(".tilepad");
    next = $("[data-save]", pad);
    hands = $$("[data-hand]", form);
    fields = hands.filter((one) => fig(one).type !== "hidden");
    hand = field = null;
    over = half = "";
    body.add("pad-on");
    $$(".fig, .cnt", form).forEach((one) => { if (one.type !== "hidden") one.inputMode = "none"; });
    if (!fields.length) return paintNext();
    hand = (loaded && fields.find((one) => one.contains(document.activeElement))) || fields.find((one) => one.classList.contains("bad")) || fields.find((one) => !fig(one).value.trim()) || fields[0];
    quiet(() => localStorage.setItem(`out:${form.dataset.draft}`, location.search));
    if (form.dataset.mode === "tiles") tileMode(true);
    open(hand);
    $(".dispute[open] input")?.focus();
    const typed = fields.some((one) => fig(one).value !== fig(one).defaultValue);
    if (typed && !form.hasAttribute("data-draft-keep")) form.dispatchEvent(new Event("look"));
  }

  const on = (types, act) => types.split(" ").forEach((type) => document.addEventListener(type, (event) => form && act(event)));
  const isKey = (event) => event.target.closest("[data-key], [data-half], [data-to], [data-save]");
  const typing = (event) => event.target.matches(".fig, .cnt");

  on("mousedown", (event) => { if (isKey(event)) event.preventDefault(); }); // the field keeps the focus
  let hold, held;
  on("pointerup pointercancel scroll", () => clearTimeout(hold));
  on("pointerdown", (event) => { // holding ⌫ clears
    const button = isKey(event);
    if (!button || button.dataset.key !== "back") return;
    held = false;
    hold = setTimeout(() => { held = true; KEYS.clear(); }, 550);
  });

  on("click", (event) => {
    const button = isKey(event);
    if (event.target.closest("[data-look]") && hand) { event.preventDefault(); return open(hand); }
    if (!button) return;
    if (held) { held = false; return; }
    if (button.dataset.to) {
      const one = fields.find((other) => other.dataset.seat === button.dataset.to);
      return one && open(one);
    }
    if (button.dataset.half) { half = button.dataset.half; ask = "then"; return paint(); }
    const which = button.dataset.key;
    if (which) return KEYS[which] ? KEYS[which](button) : type(which);
    const to = nextHand();
    if (over || to) event.preventDefault();
    if (!over && to) open(to);
  });

  on("focusin", (event) => {
    const one = typing(event) && event.target.closest("[data-hand]");
    if (one && (one !== hand || event.target !== field)) open(one, event.target);
  });

  on("keydown", (event) => {
    if (!typing(event)) return;
    const digit = /^[\d+]$/.test(event.key), gone = event.key === "Backspace";
    if (event.key === "Enter") next.click();
    else if ((digit || gone) && (over || (field === fig(hand) && tiled(hand))) && !event.ctrlKey && !event.metaKey) gone ? back() : type(event.key);
    else return;
    event.preventDefault();
  });

  on("input", (event) => {
    if (event.target.form !== form) return;
    const one = event.target.closest("[data-hand]");
    failed("");
    if (one) {
      if (event.isTrusted && event.target.matches(".fig")) one.classList.add("raw"); // a keyboard: shown as typed
      if (form.elements.at) form.elements.at.value = one.dataset.seat;
    }
    paint();
  });

  const mine = (event) => event.detail.elt === form;
  on("htmx:beforeRequest", (event) => mine(event) && failed(""));
  on("htmx:configRequest", (event) => { // a button outside the form says its name, too
    const button = mine(event) && event.detail.triggeringEvent?.submitter;
    if (button?.name) event.detail.parameters[button.name] = button.value;
  });
  addEventListener("htmx:afterRequest", (event) => { // after app.js has freed the button
    if (!form || !mine(event)) return;
    if (event.detail.xhr.getResponseHeader("HX-Redirect")) next.classList.add("busy"); // on the way to the board
    else paintNext();
  });
  on("htmx:sendError htmx:timeout", (event) => mine(event) && failed("offline"));
  on("htmx:responseError", (event) => {
    if (!mine(event)) return;
    // No longer open here: the page itself says why, and the phone keeps the numbers.
    if ("reloads" in form.dataset && [403, 404].includes(event.detail.xhr.status)) location.reload();
    else failed("site");
  });
  on("htmx:afterSwap", (event) => { if (event.detail.target.id === "check") checked(); });
  on("htmx:afterSettle", (event) => {
    if (event.detail.target.id !== "main" && event.detail.elt.id !== "main") return;
    const twice = $("[data-saved-twice]");
    body.remove("tiling", "asking", "failed");
    form = null;
    if (!twice) return start();
    body.remove("pad-on");
    $("[data-focus]").focus();
  });
  window.addEventListener("pageshow", () => { if (form && form.isConnected) { next.classList.remove("busy"); paint(); } });
  on("draft:restored", () => start());

  // Back on the page of who went out, on the way to hands that were begun: go on with what was chosen
  const goOn = $("[data-go-on]");
  const chosen = goOn && quiet(() => localStorage.getItem(`out:${goOn.dataset.goOn}`));
  if (chosen) location.replace(goOn.action + chosen);
  start(true);
})();
