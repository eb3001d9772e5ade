// On every page: drafts that stay on the phone, buttons that wait, rows of names. The pages work without it.
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (from, what) => [...from.querySelectorAll(what)];
  root.classList.add("js");
  if (window.htmx) root.classList.add("htmx");
  history.replaceState(history.state, ""); // Back to a page that a refused form led to does not send it again

  // Drafts: what is typed in a form[data-draft] stays on the phone until [data-draft-done] says it is saved.
  const quiet = (act) => { try { return act(); } catch { return null; } };
  const box = {
    get: (key) => quiet(() => JSON.parse(localStorage.getItem(`draft:${key}`))),
    set: (key, value) => quiet(() => localStorage.setItem(`draft:${key}`, JSON.stringify(value))),
    drop: (key) => quiet(() => localStorage.removeItem(`draft:${key}`)),
  };
  const OTHER = /^(csrfmiddlewaretoken|version|once|do)$/;
  const fields = (form) => [...form.elements].filter((one) => one.name && !OTHER.test(one.name) && !/submit|button|file/.test(one.type));
  const ticks = (one) => one.type === "radio" || one.type === "checkbox";
  const read = (form) => fields(form).reduce((kept, one) => {
    (kept[one.name] ||= []).push(ticks(one) ? one.checked : one.value);
    return kept;
  }, {});
  const fill = (form, kept) => {
    const seen = {};
    for (const one of fields(form)) {
      const place = seen[one.name] = (seen[one.name] ?? -1) + 1;
      const value = kept[one.name]?.[place];
      if (value === undefined) continue;
      const old = one.value;
      if (ticks(one)) one.checked = value; else one.value = value;
      if (one.options && one.selectedIndex < 0) one.value = old;
    }
  };
  const first = new WeakMap(); // form → what it held when it came
  const typed = (event) => {
    const form = event.target.form || event.target.closest?.("form");
    if (!form || !first.has(form)) return;
    const now = read(form);
    if (JSON.stringify(now) === first.get(form) && !form.hasAttribute("data-draft-keep")) box.drop(form.dataset.draft);
    else box.set(form.dataset.draft, now);
  };
  const told = () => {
    for (const one of all(document, "[data-draft-begun]")) one.hidden = !box.get(one.dataset.draftBegun);
    for (const one of all(document, "[data-draft-fresh]")) one.hidden = !!box.get(one.dataset.draftFresh);
  };
  const scan = (from) => {
    const found = (what) => all(from, what).concat(from.matches?.(what) ? from : []);
    for (const one of found("[data-draft-done]")) box.drop(one.dataset.draftDone);
    for (const form of found("form[data-draft]")) {
      if (first.has(form)) continue;
      first.set(form, JSON.stringify(read(form)));
      const kept = !form.hasAttribute("data-draft-keep") && box.get(form.dataset.draft);
      if (!kept) continue;
      fill(form, kept);
      form.dispatchEvent(new CustomEvent("draft:restored", { bubbles: true }));
    }
    told();
  };
  // A form that was sent and led to another page was saved.
  const sent = quiet(() => JSON.parse(sessionStorage.getItem("sent")));
  quiet(() => sessionStorage.removeItem("sent"));
  if (sent && sent[1] !== location.pathname) box.drop(sent[0]);

  document.addEventListener("input", typed);
  document.addEventListener("change", typed);
  document.addEventListener("htmx:load", (event) => { if (event.target !== document.body) scan(event.target); });

  // Busy: the pressed button says so, and a second press does nothing.
  const waiting = new Map(); // form → what frees it
  const wait = (form, button) => {
    if (waiting.has(form)) return false;
    const was = button && [...button.childNodes];
    button?.classList.add("busy");
    if (button?.dataset.busy) button.replaceChildren(button.dataset.busy);
    const timer = setTimeout(() => free(form), 20000);
    waiting.set(form, () => {
      clearTimeout(timer);
      button?.classList.remove("busy");
      if (button?.dataset.busy) button.replaceChildren(...was);
    });
    return true;
  };
  const free = (form) => { waiting.get(form)?.(); waiting.delete(form); };
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    const form = event.target, button = event.submitter;
    if (!wait(form, button)) return event.preventDefault();
    quiet(() => sessionStorage.removeItem("sent"));
    if (button?.hasAttribute("data-sends")) quiet(() => sessionStorage.setItem("sent", JSON.stringify([form.dataset.draft, location.pathname])));
  });
  const acts = (event) => /^(FORM|BUTTON)$/.test(event.detail.elt.tagName) && event.detail.elt;
  document.addEventListener("htmx:beforeRequest", (event) => {
    const one = acts(event);
    const button = one && (one.tagName === "BUTTON" ? one : event.detail.requestConfig.triggeringEvent?.submitter);
    if (one && !wait(one, button)) event.preventDefault();
  });
  document.addEventListener("htmx:afterRequest", (event) => { if (acts(event)) free(acts(event)); });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const form of [...waiting.keys()]) free(form);
    quiet(() => sessionStorage.removeItem("sent"));
    told();
  });

  // Rows of names on the set-up page.
  const rows = () => {
    const list = document.querySelector("[data-names]");
    if (!list) return;
    const form = list.closest("form"), start = document.querySelector("[data-start]");
    const moves = form.querySelector("[data-moves]"), few = form.querySelector("#few");
    const seats = [...list.children], names = seats.map((seat) => seat.querySelector("input"));
    const fold = (name) => name.trim().replace(/\s+/g, " ").toLowerCase();
    const fault = (index, text) => {
      seats[index].querySelector(".fault").textContent = text;
      names[index].toggleAttribute("aria-invalid", !!text);
      if (text) names[index].setAttribute("aria-invalid", "true");
    };
    const letters = (name, taken) => {
      const signs = (text) => text.match(/[\p{L}\p{N}]\p{M}*/gu) || text.match(/\S/gu) || [""];
      const [one, ...rest] = signs(name), words = name.trim().split(/[\s-]+/).slice(1).reverse();
      const found = ["", ...words.map((word) => signs(word)[0].toUpperCase()), ...rest, 2, 3, 4, 5, 6, 7, 8, 9];
      return found.map((more) => one.toUpperCase() + more).find((text) => !taken.includes(text)) || one;
    };
    const draw = () => {
      const values = names.map((name) => name.value.trim()), count = values.filter(Boolean).length;
      const last = values.findLastIndex?.(Boolean) ?? values.map(Boolean).lastIndexOf(true), taken = [];
      seats.forEach((seat, index) => {
        seat.hidden = index > Math.max(last + 1, 2);
        const text = values[index] && letters(values[index], taken), mark = seat.querySelector(".mk");
        taken.push(text);
        mark.lastChild.textContent = text;
        mark.classList.toggle("two", text.length > 1);
      });
      const folded = values.map(fold);
      const chips = all(form, ".chip"), before = form.querySelector("[data-chips]");
      for (const chip of chips) chip.hidden = folded.includes(fold(chip.dataset.name));
      if (before) before.hidden = chips.every((chip) => chip.hidden);
      if (count > 1) few.hidden = true;
      start.classList.toggle("held", count < 2);
      const labels = start.dataset.labels?.split("|");
      if (labels && !start.classList.contains("busy")) start.textContent = labels[count];
    };
    const twice = () => {
      const folded = names.map((name) => fold(name.value));
      folded.forEach((name, index) => {
        const other = folded.indexOf(name);
        if (name && other < index) fault(index, list.dataset.twice.replaceAll("{}", () => names[other].value.trim()));
      });
    };
    const put = (values) => {
      names.forEach((name, index) => { name.value = values[index] ?? ""; fault(index, ""); });
      list.dispatchEvent(new Event("input", { bubbles: true }));
      twice();
    };
    const take = (from, to) => {
      const values = names.map((name) => name.value), [name] = values.splice(from, 1);
      if (to !== undefined) values.splice(to, 0, name);
      put(values);
    };
    const people = () => names.filter((name) => name.value.trim()).length;
    const open = (index) => {
      all(list, ".move").forEach((one, at) => one.setAttribute("aria-expanded", at === index));
      moves.hidden = index < 0;
      if (index >= 0) seats[index].append(moves);
    };
    let dragged = false;
    form.addEventListener("click", (event) => {
      const button = event.target.closest("button[name=do]");
      if (!button) return;
      const [act] = button.value.split(":"), index = seats.indexOf(button.closest("li"));
      const to = { up: index - 1, down: index + 1, first: 0 }[act];
      if (act === "chip") {
        const blank = names.find((name) => !name.value.trim());
        if (blank) { blank.value = button.dataset.name; blank.dispatchEvent(new Event("input", { bubbles: true })); }
        (form.querySelector(".chip:not([hidden])") || start).focus();
      } else if (act === "remove") { take(index); open(-1); names[index].focus(); }
      else if (act === "move") { if (!dragged) open(moves.hidden || moves.parentNode !== seats[index] ? index : -1); dragged = false; }
      else if (to !== undefined) {
        if (to >= 0 && to < people()) { take(index, to); open(to); button.focus(); }
      } else return;
      event.preventDefault();
    });
    list.addEventListener("pointerdown", (event) => {
      const handle = event.target.closest(".move");
      if (!handle) return;
      let at = seats.indexOf(handle.closest("li"));
      dragged = false;
      const go = (move) => {
        if (move.clientY < 70) scrollBy(0, -8); else if (move.clientY > innerHeight - 130) scrollBy(0, 8);
        const to = seats.findIndex((seat) => { const box = seat.getBoundingClientRect(); return move.clientY >= box.top && move.clientY < box.bottom; });
        if (to < 0 || to === at || !names[to].value.trim()) return;
        dragged = true;
        open(-1);
        seats[at].classList.remove("held-row");
        take(at, to);
        seats[at = to].classList.add("held-row");
      };
      const end = () => {
        handle.removeEventListener("pointermove", go);
        seats[at].classList.remove("held-row");
      };
      handle.setPointerCapture(event.pointerId);
      handle.addEventListener("pointermove", go);
      handle.addEventListener("pointerup", end, { once: true });
      handle.addEventListener("pointercancel", end, { once: true });
    });
    list.addEventListener("keydown", (event) => {
      const index = names.indexOf(event.target);
      if (event.key !== "Enter" || index < 0) return;
      event.preventDefault();
      const next = names[index + 1];
      if (event.target.value.trim() && next && !next.closest("li").hidden) next.focus(); else event.target.blur();
    });
    list.addEventListener("input", (event) => {
      const index = names.indexOf(event.target);
      if (index >= 0) fault(index, "");
      draw();
    });
    list.addEventListener("change", twice);
    form.addEventListener("change", (event) => { if (event.target.name === "max_pip") form.elements.set_auto.value = ""; });
    form.addEventListener("input", () => document.querySelector(".bar > .msg")?.remove());
    form.addEventListener("htmx:oobBeforeSwap", (event) => { // an answer that comes late undoes no choice
      if (event.target.id === "sets" && !form.elements.set_auto.value) event.detail.shouldSwap = false;
    });
    form.addEventListener("draft:restored", draw);
    addEventListener("pageshow", draw);
    start.addEventListener("click", (event) => {
      if (!start.classList.contains("held")) return;
      event.preventDefault();
      few.hidden = false;
      names.find((name) => !name.value.trim()).focus();
    });
    draw();
  };

  const begin = () => { rows(); scan(document); };
  if (document.readyState === "complete") begin(); else document.addEventListener("DOMContentLoaded", begin);
})();
