// The link of a game: copied where the phone can, handed to another app where it can. Else both stay away.
(() => {
  const link = document.getElementById("link"), copy = document.querySelector("[data-copy]");
  const send = document.querySelector("[data-send]");
  const old = () => { // on a plain-http address
    link.select();
    return document.execCommand("copy");
  };
  const said = () => { copy.lastChild.textContent = copy.dataset.copy; };
  link.addEventListener("focus", () => link.select());
  copy.hidden = !navigator.clipboard && !document.queryCommandSupported?.("copy");
  copy.addEventListener("click", () => {
    if (navigator.clipboard) navigator.clipboard.writeText(link.value).then(said, () => old() && said());
    else if (old()) said();
  });
  send.hidden = !navigator.share;
  send.addEventListener("click", () => navigator.share({ title: send.dataset.send, url: link.value }).catch(() => {}));
})();
