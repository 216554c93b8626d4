// Orders by tapping. What can be ordered comes in the fragment of the link, which the page takes out of the history: groups
// of whole lines. The page walks through them word by word, shows what can come next, and writes a mail from what was chosen.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const board = JSON.parse(at("board").textContent);
  const verbs = { H: "Hold", S: "Support", C: "Convoy", R: "Retreat", disband: "Disband", Build: "Build", Waive: "Waive" };
  const SVG = "http://www.w3.org/2000/svg";

  let told = null;    // what the link says
  let groups = [];    // {title, most, root, chosen: [line]}
  let chosen = null;  // the group that is being ordered
  let walked = [];    // the words chosen so far

  // ---- the link

  async function read(fragment) {
    const packed = Uint8Array.from(atob(fragment.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const said = JSON.parse(await new Response(stream).text());
    if (said.v !== 1 || !/^mailto:[^?]+/.test(said.m) || !Array.isArray(said.g)) throw new Error("not a link of ours");
    return said;
  }

  async function open() {
    const fragment = location.hash.slice(1);
    if (!fragment) return;
    history.replaceState(null, "", location.pathname + location.search);
    try {
      told = await read(fragment);
    } catch {
      at("intro").textContent = "This link is damaged. Open it from the report again, or reply to the report with your orders.";
      return;
    }
    groups = told.g.map(([title, most, lines]) => ({ title, most, root: tree(title, lines), chosen: [] }));
    chosen = null;
    walked = [];
    at("title").textContent = `${told.y ? `${told.y}: ` : ""}orders for ${told.k}`;
    document.title = at("title").textContent;
    at("intro").textContent = "Choose a unit, then what it shall do. Nothing is sent until you send the mail.";
    at("map").toggleAttribute("hidden", !told.u);
    at("work").hidden = false;
    at("more").value = "";
    if (told.u) place();
    show();
  }

  // ---- the tree of words

  // A word is a verb, a place with the hyphen before it, or a unit.
  const words = (line) => line.match(/(?:(?:A\/F|[AFT])\s+(?=[A-Z]))?-?[^\s-]+(?:-(?![A-Z])[^\s-]+)*/g) || [];

  function tree(title, lines) {
    const root = { next: new Map(), line: null };
    for (const line of lines) {
      let node = root;
      for (const word of words(line.startsWith(`${title} `) || line.startsWith(`${title}-`) ? line.slice(title.length) : line)) {
        if (!node.next.has(word)) node.next.set(word, { next: new Map(), line: null });
        node = node.next.get(word);
      }
      node.line = line;
    }
    return root;
  }

  const node = () => walked.reduce((from, word) => from.next.get(word), chosen.root);

  // The place that a word names, as the map knows it.
  function placed(word) {
    const code = word.replace(/^-/, "").split(/\s+/).pop().toLowerCase();
    return board.spots[code.split("/")[0]] ? code : "";
  }

  function spoken(word) {
    const code = placed(word);
    if (!code) return verbs[word] || word;
    const [head, coast] = code.split("/");
    const name = (board.names[head] || (told.n && told.n[head]) || head) + (coast ? ` (${coast})` : "");
    const unit = word.match(/^([A-Z/]+)\s/);
    if (unit) return `${{ A: "Army", F: "Fleet" }[unit[1]] || unit[1]} ${name}`;
    return word.startsWith("-") ? `to ${name}` : name;
  }

  // ---- choosing

  function begin(group) {
    chosen = group;
    walked = [];
    show(true);
  }

  function walk(word) {
    walked.push(word);
    const here = node();
    if (here.line && !here.next.size) return finish(here.line);
    if (!here.line && here.next.size === 1) return walk(here.next.keys().next().value);
    return show(true);
  }

  function finish(line) {
    const group = chosen;
    if (group.chosen.length >= group.most) group.chosen.shift();
    group.chosen.push(line);
    chosen = null;
    walked = [];
    show(true);
    at("step").textContent = `Written: ${line}.`;
  }

  function tapped(code) {
    const near = (word) => placed(word).split("/")[0] === code;
    if (chosen) {
      const here = node();
      const open = [...here.next.keys()].filter(near);
      if (open.length === 1) return walk(open[0]);
      if (open.length) return show(true, open);
      if (here.line && walked.some(near)) return finish(here.line);
      if (!walked.length && near(chosen.title) && here.next.has("H")) return walk("H");
    }
    const own = groups.filter((group) => near(group.title));
    const starts = groups.filter((group) => [...group.root.next.keys()].some((word) => group.root.next.get(word).next.size
      ? [...group.root.next.get(word).next.keys()].some(near) : near(word)));
    const group = own.find((one) => !one.chosen.length) || own[0] || (chosen ? null : starts[0]);
    if (group) begin(group);
    return undefined;
  }

  // ---- what is shown

  function button(text, act, pressed) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
    made.addEventListener("click", act);
    return made;
  }

  function show(focus, only) {
    const choices = at("choices");
    choices.replaceChildren();
    if (!chosen) {
      at("step").textContent = "Which unit?";
      for (const group of groups) choices.append(button(named(group), () => begin(group), group.chosen.length > 0));
    } else {
      const here = node();
      const said = [named(chosen), ...walked.map(spoken)].join(" ");
      at("step").textContent = `${said}: what next?`;
      if (here.line) choices.append(button("That is all", () => finish(here.line)));
      for (const word of only || here.next.keys()) choices.append(button(spoken(word), () => walk(word)));
      choices.append(button("Back", () => {
        if (walked.length) { walked = []; } else { chosen = null; }
        show(true);
      }));
    }
    write();
    mark();
    if (focus && choices.firstChild) choices.firstChild.focus({ preventScroll: true });
  }

  const named = (group) => (/^[A-Z/]+\s/.test(group.title) && placed(group.title) ? spoken(group.title) : group.title);

  function write() {
    const lines = groups.flatMap((group) => group.chosen);
    at("orders").replaceChildren(...groups.flatMap((group) => group.chosen.map((line, number) => {
      const item = document.createElement("li");
      const remove = button("Remove", () => {
        group.chosen.splice(number, 1);
        show(true);
      });
      remove.setAttribute("aria-label", `Remove ${line}`);
      item.append(`${line} `, remove);
      return item;
    })));
    const without = groups.filter((group) => !group.chosen.length).map(named);
    at("left").textContent = without.length ? `Without an order: ${without.join(", ")}.` : "Everything has an order.";
    const more = at("more").value.split("\n").filter((line) => line.trim());
    const text = [...lines, ...more].join("\r\n");
    at("mail").textContent = text.replace(/\r/g, "");
    at("send").href = `${told.m}${told.m.includes("?") ? "&" : "?"}body=${encodeURIComponent(`${text}\r\n`)}`;
  }

  // ---- the map

  function drawn(kind, attributes, text) {
    const made = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text) made.textContent = text;
    return made;
  }

  function spot(code, dislodged) {
    const [head] = code.split("/");
    const spots = board.spots[head];
    if (dislodged) return spots.d[code] || spots.d[head];
    return (spots.c && spots.c[code]) || spots.u;
  }

  function place() {
    for (const [code, owner] of Object.entries(told.c)) {
      const area = at(`area-${code}`);
      if (area) area.style.fill = `color-mix(in srgb, #${told.p[owner][1]} 46%, #f5efdf)`;
    }
    for (const code of told.x) if (at(`area-${code}`)) at(`area-${code}`).style.fill = "#15101f";
    at("units").replaceChildren();
    told.u.forEach((units, power) => units.forEach(([kind, code]) => unit(power, kind, code, false)));
    told.d.forEach(([power, kind, code]) => unit(power, kind, code, true));
  }

  function unit(power, kind, code, dislodged) {
    if (!board.spots[code.split("/")[0]]) return;
    const [x, y] = spot(code, dislodged);
    const [, strong, ink, tag] = told.p[power];
    const group = drawn("g", { transform: `translate(${x} ${y})`, "data-place": code.split("/")[0] });
    const shape = kind === "F" ? board.fleet : board.army;
    const edge = dislodged ? "#b3001b" : "#22262b";
    group.append(drawn("path", { d: shape, fill: `#${strong}`, stroke: edge, "stroke-width": dislodged ? 3 : 1.3 }));
    group.append(drawn("text", { class: "tag", fill: `#${ink}`, y: kind === "F" ? 9 : 4 }, tag));
    at("units").append(group);
  }

  // The arrows of what is written, and the places that can be tapped next.
  function mark() {
    if (!told.u) return;
    const arrows = groups.flatMap((group) => group.chosen.map((line) => arrow(group, line))).filter(Boolean);
    at("arrows").replaceChildren(...arrows.flat());
    for (const area of document.querySelectorAll("#areas .open")) area.classList.remove("open");
    if (!chosen) return;
    for (const word of node().next.keys()) {
      const area = at(`area-${placed(word).split("/")[0]}`);
      if (area) area.classList.add("open");
    }
  }

  function arrow(group, line) {
    const codes = words(line).map(placed).filter(Boolean);
    if (codes.length < 2) return null;
    const dislodged = told.d.some(([, , code]) => code === codes[0]);
    const [x, y] = spot(codes[0], dislodged);
    const [left, top] = spot(codes[codes.length - 1]);
    const far = Math.hypot(left - x, top - y) || 1;
    const [dx, dy] = [(left - x) / far, (top - y) / far];
    const [tipX, tipY] = [left - dx * 16, top - dy * 16];
    const moves = codes.length === 2 && line.includes("-") || / R /.test(line);
    const ray = drawn("path", { d: `M${x} ${y}L${tipX} ${tipY}`, stroke: "#22262b", "stroke-width": 4, "stroke-dasharray": moves ? "none" : "1 7", "stroke-linecap": "round" });
    const side = `${tipX - dx * 12 - dy * 7} ${tipY - dy * 12 + dx * 7}`;
    const other = `${tipX - dx * 12 + dy * 7} ${tipY - dy * 12 - dx * 7}`;
    return moves ? [ray, drawn("path", { d: `M${tipX} ${tipY}L${side}L${other}z`, fill: "#22262b" })] : [ray];
  }

  at("map").addEventListener("click", (event) => {
    const found = event.target.closest("[data-place]");
    if (found && told) tapped(found.dataset.place);
  });
  at("more").addEventListener("input", write);
  addEventListener("hashchange", open);
  open();
})();
