// The slider, the arrow keys, and the reason of an order where the map is tapped. Everything works without this file.
"use strict";
(() => {
  const titles = Object.fromEntries(window.phases || []);
  const codes = Object.keys(titles);
  const page = (code) => `${code}.html`;
  let turning = 0;
  let asked = -1;  // the phase that is being loaded

  function here() {
    const phase = document.getElementById("phase");
    return phase ? codes.indexOf(phase.dataset.code) : -1;
  }

  const fetches = /^https?:$/.test(location.protocol);

  // What is chosen stays chosen on the next page, where the browser allows it.
  const kept = {
    get zoom() {
      try { return sessionStorage.getItem("zoom") === "yes"; } catch { return false; }
    },
    set zoom(on) {
      try { sessionStorage.setItem("zoom", on ? "yes" : "no"); } catch { /* not on this browser */ }
    },
  };

  // Show another phase in place; where pages cannot be fetched (from a disk) go to it.
  async function show(code, keep) {
    const turn = ++turning;
    asked = codes.indexOf(code);
    const old = document.getElementById("phase");
    if (!old || !fetches) {
      location.href = page(code);
      return;
    }
    try {
      const answer = await fetch(page(code));
      if (!answer.ok) throw new Error(answer.status);
      const other = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (turn !== turning) return;
      asked = -1;
      const fresh = other.getElementById("phase");
      const [before, after] = [old, fresh].map((phase) => phase.querySelector(".sheet"));
      const seen = before && [before.scrollLeft, before.scrollTop];
      const slider = keep && old.querySelector(".slider");
      old.replaceWith(fresh);
      enlarge(false);
      if (seen && after) after.scrollTo(...seen);
      document.title = other.title;
      document.querySelector(".trail [aria-current]").textContent = titles[code];
      if (slider) fresh.querySelector(".slider").replaceWith(slider);
      else lay(fresh);
      history.replaceState(null, "", page(code));
      if (slider) slider.querySelector("input").focus();
    } catch {
      if (turn === turning) location.href = page(code);
    }
  }

  function lay(phase) {
    const place = document.querySelector(".slider");
    if (!place || codes.length < 2) return;
    const input = document.createElement("input");
    const output = document.createElement("output");
    const at = phase ? here() : codes.length - 1;
    Object.assign(input, { type: "range", min: 0, max: codes.length - 1, value: Math.max(at, 0), autocomplete: "off" });
    input.setAttribute("aria-label", "Phase");
    const tell = () => {
      output.textContent = titles[codes[input.value]];
      input.setAttribute("aria-valuetext", output.textContent);
    };
    tell();
    input.addEventListener("input", () => {
      tell();
      if (document.getElementById("phase") && fetches) show(codes[input.value], true);
    });
    input.addEventListener("change", () => {
      if (!document.getElementById("phase") || !fetches) location.href = page(codes[input.value]);
    });
    addEventListener("pageshow", () => {
      const phase = document.getElementById("phase");
      input.value = phase ? here() : codes.length - 1;
      tell();
    });
    place.replaceChildren(input, output);
  }

  // The map as large as was chosen; it opens in the middle, where most goes on.
  function enlarge(chosen) {
    const zoom = document.getElementById("zoom");
    if (!zoom) return;
    if (chosen) kept.zoom = zoom.checked;
    else zoom.checked = kept.zoom;
    const sheet = document.querySelector(".sheet");
    sheet.scrollTo((sheet.scrollWidth - sheet.clientWidth) / 2, (sheet.scrollHeight - sheet.clientHeight) / 2);
  }

  function light(anchor) {
    for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
    document.getElementById(anchor)?.classList.add("lit");
    if (anchor) document.querySelector(`.board a[href$="#${anchor}"]`)?.classList.add("lit");
  }

  function tell(link) {
    const reason = document.getElementById("reason");
    reason.dataset.before ??= reason.innerHTML;
    light(link.getAttribute("href").split("#")[1]);
    reason.textContent = link.getAttribute("aria-label");
  }

  // Nothing is pointed at any more.
  function hush() {
    const reason = document.getElementById("reason");
    if (reason?.dataset.before === undefined) return;
    light("");
    reason.innerHTML = reason.dataset.before;
  }

  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const writes = event.target.closest("input[type=range], summary, .wide, pre, .map:has(#zoom:checked) .sheet");
    if (!step || writes || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const from = asked >= 0 ? asked : document.getElementById("phase") ? here() : codes.length;
    const at = from + step;
    if (codes[at]) {
      event.preventDefault();
      show(codes[at], false);
    }
  });

  document.addEventListener("click", (event) => {
    const order = event.target.closest(".board a");
    if (order) {
      event.preventDefault();
      tell(order);
      return;
    }
    if (event.target.closest(".sheet")) hush();
    const line = event.target.closest(".orders li");
    if (line) light(line.id);
  });

  document.addEventListener("pointerover", (event) => {
    const order = event.pointerType === "mouse" && event.target.closest(".board a");
    if (order) tell(order);
  });

  document.addEventListener("change", (event) => {
    if (event.target.id === "zoom") enlarge(true);
  });

  addEventListener("pageshow", () => { asked = -1; });
  lay(document.getElementById("phase"));
  enlarge(false);
})();
