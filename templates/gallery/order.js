// Orders by tapping. What can be ordered comes in the fragment of the link, which the page takes out of the history: groups
// of whole lines. The page walks through them word by word, shows what can come next, and writes a mail from what was chosen.
// Nothing in a link is trusted: it is checked (`checked`), and only ever shown as text.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const board = JSON.parse(at("board").textContent);
  const [names, spots] = [new Map(Object.entries(board.names)), new Map(Object.entries(board.spots))];
  const [signs, paints] = [new Map(Object.entries(board.signs)), new Map(Object.entries(board.paints))];
  const verbs = new Map(Object.entries({  // on a button, and in a sentence
    H: ["Hold", "holds"], S: ["Support", "supports"], C: ["Convoy", "convoys"], R: ["Retreat to", "retreats to"],
    disband: ["Disband", "is disbanded"], "via convoy": ["Via convoy", "via convoy"],
  }));
  const grave = (word) => ["disband", "Waive"].includes(word);  // gives something up: it stands last, and is asked about
  const kinds = new Map([["A", "Army"], ["F", "Fleet"]]);
  const kindOf = (letter) => kinds.get(letter) || facts.z.get(letter);
  const [BACK, UNDO, ALL] = ["Back", "Undo", "That is all"];
  const SVG = "http://www.w3.org/2000/svg";
  const KEPT = "orders";          // what is kept for a reload, in this tab alone, until it is closed
  const LONG_FRAGMENT = 20_000;
  const LONG_TEXT = 400_000;
  const LONG_MAIL = 2_000;
  const LONG_LIST = 100;

  let facts = null;    // what the link says
  let groups = [];    // {title, most, often: Map(line, times), root, chosen: [line]}; `most` 0: all chosen are one line
  let chosen = null;  // the group that is being ordered
  let walked = [];    // the words chosen so far
  let whole = false;  // whether the whole map is shown
  let eye = null;     // where the eye should be on the sheet
  let shown = null;   // and where it was when the whole sheet was shown: from there it is moved by hand alone
  let movedAt = -Infinity;  // when the map has moved last: who taps at once means what stood there before
  let view = null;    // what is shown of it: it stays where it is as long as all that can come next is in it
  let changed = null; // the group that was changed last, what was chosen in it, and the words if its order was half made

  // ---- the link

  // What the page itself calls something or has on a button: a link has no other words for it, and gives it no other word.
  const folded = (text) => text.normalize("NFKC").replace(/^-/, "").trim().toLowerCase();
  const own = new Set([...kinds.values(), ...names.values(), ...[...verbs.values()].flat(), BACK, UNDO, ALL].map(folded));
  const isOther = (text) => !own.has(folded(text));

  class OtherEdition extends Error {}

  async function unpacked(fragment) {
    const packed = Uint8Array.from(atob(fragment.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    const text = new TextDecoder("utf-8", { fatal: true });
    let [said, length] = ["", 0];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length;
      if (length > LONG_TEXT) throw new Error("too much");
      said += text.decode(part.value, { stream: true });
    }
    return said + text.decode();
  }

  // Of letters, marks, figures and signs, not of pictures: some of those are blank. What shows nothing is in no text, nor
  // piles of marks, which lie upon other lines.
  const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{Sm}\p{Sc}\p{Sk} ]|\p{Default_Ignorable_Code_Point}| {2}|\p{M}{5}/u;
  const isText = (value) => typeof value === "string" && value.length <= 300 && !UNSEEN.test(value);
  const isList = (value, one, most = 400) => Array.isArray(value) && value.length <= most && value.every(one);
  const isNames = (value) => typeof value === "object" && value !== null && isList(Object.entries(value), (pair) => pair.every(isText) && isOther(pair[1]));
  const isMoment = (value) => typeof value === "string" && /^[\w ,:+()-]{0,60}$/.test(value);
  const isNumber = (value, most) => Number.isInteger(value) && value >= 0 && value < most;
  const isPlaces = (value) => typeof value === "string" && /^([a-zA-Z/. ]+(,|$))*$/.test(value);

  function isGroup(value) {
    if (!isList(value, () => true, 4) || value.length < 3) return false;
    const [title, most, ...lines] = value;
    if (!isText(title) || !isNumber(most, 100) || !lines.every((some) => isList(some, isText, 5_000))) return false;
    const start = title.replace(/(Builds|Removals|More \d+)$/, "");  // a title is how its lines begin
    return isOther(title) && lines[0].every((line) => line.startsWith(start) && words(line).every((word) => verbs.has(word) || isOther(word)));
  }

  function isPower(value) {
    if (!isList(value, () => true, 3) || !isText(value[0])) return false;
    const [, tag, colour] = value;
    const coloured = colour === undefined || isNumber(colour, board.colours.length) || /^[0-9a-f]{6}$/.test(colour);
    return coloured && (isNumber(tag, 10) || (isText(tag) && tag.length < 10));
  }

  // One address of letters that everybody sees, or a seat's before the @ as the name of the server's own; as a server writes it.
  const [ATOM, HOST] = ["[\\w.!$'*+/=^`{|}~-]+", "[\\w.-]+"];
  const RECIPIENT = new RegExp(`^(?:${ATOM}@${HOST}|"(${ATOM})\\+[\\w.-]+" <\\1@${HOST}>)$`);

  // A mail to one recipient, with a subject and nothing else: no copies to others.
  function mailOf(link) {
    const [, to, subject = ""] = /^mailto:([\w.~%@-]+)(?:\?subject=([\w.~%-]*))?$/.exec(link) || [];
    return [to, subject].map((part) => decodeURIComponent(part || ""));
  }

  function isMail(value) {
    const [to, subject] = mailOf(String(value));
    return RECIPIENT.test(to) && isText(subject);
  }

  function checked(said) {
    if (typeof said !== "object" || said === null) throw new Error("no link of ours");
    if (said.v !== board.edition) throw new OtherEdition();
    const right = isMail(said.m) && [said.k, said.y, said.t].every(isText) && isMoment(said.e) && isList(said.g, isGroup)
      && [said.n, said.w, said.z, said.o].every(isNames);
    const { p = [], u = [], d = [], c = [], x = "", f = [], s = "", a = [] } = said;
    const isMark = ([meaning, whose, places]) => isText(meaning) && isOther(meaning) && (whose === -1 || isNumber(whose, p.length)) && isPlaces(places);
    const mapped = isList(p, isPower) && isList(u, isPlaces, p.length) && isList(c, isPlaces, p.length) && [x, s].every(isPlaces)
      && isList(a, (one) => isList(one, () => true, 3) && one.length === 3 && isMark(one))
      && isList(f, (one) => isNumber(one, p.length))
      && isList(d, (one) => isList(one, () => true, 2) && isNumber(one[0], p.length) && isPlaces(one[1]));
    if (!right || !mapped || u.length !== p.length || c.length !== p.length) throw new Error("no link of ours");
    const split = (places) => places.split(",").filter(Boolean);
    const pairs = (places) => split(places).map((one) => one.split(" "));
    const units = u.flatMap((places, power) => pairs(places).map(([kind, code]) => ({ power, kind, code, dislodged: false })));
    const driven = d.map(([power, one]) => ({ power, kind: one.split(" ")[0], code: one.split(" ")[1] || "", dislodged: true }));
    return {
      ...said,
      n: new Map(Object.entries(said.n)),
      w: new Map(Object.entries(said.w)),
      z: new Map(Object.entries(said.z)),
      heads: new Map(Object.entries(said.o)),
      mapped: Boolean(said.p),
      powers: p.map(livery),
      units: [...units, ...driven].filter((unit) => unit.code),
      centres: c.map(split),
      free: s === "" ? Object.keys(board.spots).filter((code) => board.spots[code].s && !split(x).includes(code) && !c.flatMap(split).includes(code)) : split(s),
      gone: split(x),
      partly: f,
      marks: a.map(([meaning, power, places]) => ({ meaning, power, codes: split(places).filter((code) => spots.has(code)) })),
    };
  }

  function livery([name, tag, colour], number) {
    const strong = typeof colour === "string" ? `#${colour}` : board.colours[colour === undefined ? number : colour] || "#777777";
    const [red, green, blue] = [1, 3, 5].map((from) => parseInt(strong.slice(from, from + 2), 16));
    const part = (value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const light = 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue) > 0.179;  // black letters stand out more
    const shown = light ? `color-mix(in srgb, ${strong}, #fff var(--map-whitened))` : strong;
    return { name, tag: typeof tag === "number" ? name.slice(0, tag) : tag, strong: shown, ink: light ? "#000000" : "#ffffff" };
  }

  // Programs that find links in text take signs behind them for their part, and some write others as %2D.
  const fragmentOf = (hash) => (/^[\w-]+/.exec(hash.slice(1).replace(/%2d/gi, "-").replace(/%5f/gi, "_")) || [""])[0];

  const INTRO = at("intro").textContent;
  const OLD = "This browser is too old for this page. Reply to the report with your orders instead.";
  const OTHER = "This page is of another edition than the server that wrote the link. Reload it; if that does not help, reply to the report with your orders.";
  const DAMAGED = "This link is damaged. Reply STATUS to a mail of your game for a new one, or reply with your orders.";

  // A fragment is kept aside first, and the page loaded again without it: so browsers list only the page as visited. Where
  // nothing can be kept, it is taken out of the tab's history at least.
  async function open(hash) {
    const fragment = fragmentOf(hash);
    const before = recall();
    const mine = { fragment: "", chosen: [], more: "", of: "", ...before, ...(fragment ? { fragment } : {}) };
    const cleared = location.href.split("#")[0];  // the whole address: a path that begins with two slashes is another host's
    if (fragment && location.hash && fragment.length <= LONG_FRAGMENT && keep(mine)) return location.replace(cleared);
    if (location.hash) history.replaceState(null, "", cleared);
    if (!mine.fragment) return closed(INTRO);
    if (typeof DecompressionStream === "undefined") return closed(OLD);
    try {
      if (mine.fragment.length > LONG_FRAGMENT) throw new Error("too long");
      facts = checked(JSON.parse(await unpacked(mine.fragment)));
    } catch (error) {
      return closed(error instanceof OtherEdition ? OTHER : DAMAGED);
    }
    facts.fragment = mine.fragment;
    const [to, subject] = mailOf(facts.m);
    facts.of = [to, facts.k, facts.y].join(" ");
    const other = mine.of && mine.of !== facts.of ? mine.chosen.flat().length + mine.more.trim().split("\n").filter(Boolean).length : 0;
    if (mine.of !== facts.of) [mine.chosen, mine.more] = [[], ""];
    const usual = rules(board, facts.gone, facts.units.filter((unit) => !unit.dislodged).map((unit) => [unit.kind, unit.code]));
    groups = facts.g.map((group) => grouped(group, usual));
    groups.forEach((group, number) => {
      const before = Array.isArray(mine.chosen[number]) ? mine.chosen[number] : [];
      group.chosen = before.filter((line) => group.often.has(line)).slice(0, group.most || LONG_LIST);
    });
    [chosen, walked, whole, eye, shown, view, changed] = [null, [], false, null, null, null, null];
    at("title").textContent = `${[facts.t, facts.k].filter(Boolean).join(" ")}: ${facts.y ? `${facts.y}'s ` : ""}orders`;
    document.title = at("title").textContent;
    at("due").textContent = facts.e ? `Deadline: ${facts.e}` : "";
    at("intro").textContent = facts.l
      ? "Choose a unit, then what it shall do. There was no room for all supports and convoys: write others below. Nothing is sent until you send the mail."
      : "Choose a unit, then what it shall do. Nothing is sent until you send the mail.";
    for (const part of ["sheet", "zoom", "hint", "key", "words"]) at(part).hidden = !facts.mapped;
    for (const place of ["to", "again"]) at(place).textContent = to;
    at("subject").textContent = subject;
    at("work").hidden = at("goes").hidden = false;
    at("more").value = mine.more;
    if (facts.mapped) ground();
    return show(false, other ? `${other} lines for another seat or phase were on this page, and are gone. ${asking()}` : "");
  }

  // What is refused is not kept; but a reload may bring the page of a link's edition.
  function closed(why) {
    facts = null;
    if (why !== OTHER) keep(null);
    at("intro").textContent = why;
    at("work").hidden = at("goes").hidden = true;
    at("title").textContent = "Orders";
    document.title = "Orders";
  }

  function recall() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT));
      return kept && typeof kept.fragment === "string" && typeof kept.more === "string" && Array.isArray(kept.chosen) ? kept : null;
    } catch {
      return null;
    }
  }

  function keep(orders) {
    try {
      if (orders) sessionStorage.setItem(KEPT, JSON.stringify(orders));
      else sessionStorage.removeItem(KEPT);
      return true;
    } catch {
      return false;  // a browser that keeps nothing: a reload begins anew
    }
  }

  const written = () => ({ of: facts.of, fragment: facts.fragment, chosen: groups.map((group) => group.chosen), more: at("more").value });

  // ---- the tree of words

  // A word is a verb (`via convoy` is one), a place with the hyphen before it, or a unit.
  const words = (line) => line.match(/via convoy|(?:(?:A\/F|[AFT])\s+(?=[A-Z]))?-?[^\s-]+(?:-(?![A-Z])[^\s-]+)*/g) || [];

  // What follows a title that names the unit, as `-Gal` of `A Vie-Gal`, also behind a colon; a whole line for other titles.
  function behind(title, line) {
    const rest = line.slice(title.length);
    return line.startsWith(title) && /^[ :-]/.test(rest) ? rest.replace(/^:/, "") : line;
  }

  function grouped([title, most, lines, without], usual) {
    const unit = /^([A-Z]) (\S+)$/.exec(title);
    const found = without && unit ? usual([unit[1], unit[2].toLowerCase()]).filter((line) => !without.includes(line)) : [];
    const often = new Map();
    const root = { next: new Map(), line: null };
    for (const line of [...found, ...lines]) {
      often.set(line, (often.get(line) || 0) + 1);
      let node = root;
      for (const word of words(behind(title, line))) {
        if (!node.next.has(word)) node.next.set(word, { next: new Map(), line: null });
        node = node.next.get(word);
      }
      node.line = line;
    }
    return { title, most, often, root, chosen: [] };
  }

  const node = () => walked.reduce((from, word) => from.next.get(word), chosen.root);
  const codeOf = (word) => word.replace(/^-/, "").split(/\s+/).pop().toLowerCase();
  const headOf = (code) => code.split("/")[0];

  // The place that a word names, as the map knows it; "" for other words.
  const placed = (word) => (facts.mapped && spots.has(headOf(codeOf(word))) ? codeOf(word) : "");
  const provinceOf = (word) => headOf(placed(word));

  // The words for places that can come next, also behind one more word: `R Boh`.
  function onward(here) {
    const behind = [...here.next.values()].flatMap((after) => [...after.next.keys()].filter((word) => !word.includes(" ")));
    return [...here.next.keys(), ...behind].filter(placed);
  }

  // The name of a place: `ar7` is `Ares 7` by `ar#`, which stands for all that are numbered.
  function nameOf(code) {
    const [, stem, number] = /^(.*?)(\d+)$/.exec(code) || [];
    const numbered = facts.n.get(`${stem}#`);
    return names.get(headOf(code)) || facts.n.get(code) || facts.n.get(headOf(code)) || (numbered && numbered + number);
  }

  // A word by the page's own name for it. What a link calls it stands before the word as it is mailed: but not beside a line.
  function spoken(word, inLine, whose) {
    if (verbs.has(word)) return verbs.get(word)[inLine ? 1 : 0];
    const [, letter] = /^([A-Z/]+)\s/.exec(word) || [];
    const [said, mailed] = [called(word, letter, inLine, whose), word.replace(/^-/, "")];
    const known = names.has(headOf(codeOf(word))) && (!letter || kinds.has(letter));
    if (inLine || known || folded(said.replace(/^to /, "")) === folded(mailed)) return said;
    return `${said} ${/^\(.*\)$/.test(mailed) ? mailed : `(${mailed})`}`;
  }

  function called(word, letter, inLine, whose) {
    const code = codeOf(word);
    const name = nameOf(code);
    if (!name) return kindOf(letter) ? `${kindOf(letter)} ${word.slice(letter.length + 1)}` : meaning(word, inLine);
    const coast = code.split("/")[1];
    const place = coast && names.has(headOf(code)) ? `${name} (${coast})` : name;
    if (!letter) return word.startsWith("-") ? `to ${place}` : place;
    const there = facts.units.findLast((one) => one.code === code && one.kind === letter);  // one that is dislodged is ordered
    const power = there && !whose && facts.powers[there.power].name !== facts.y ? ` (${facts.powers[there.power].name})` : "";
    return `${kindOf(letter) || letter} ${place}${power}`;
  }

  function meaning(word, inLine) {
    const full = facts.w.get(word);
    if (!full) return word.replace(/^-/, "to ");
    return (inLine ? "" : full[0].toUpperCase()) + full.slice(inLine ? 0 : 1).toLowerCase();
  }

  function sentence(group, line) {
    const rest = behind(group.title, line);
    return [...(rest === line ? [] : [named(group, true)]), ...words(rest).map((word) => spoken(word, true))].join(" ");
  }

  function named(group, inLine) {
    const [, whose, unit] = /^(.*: )?([A-Z/]+ \S+)$/.exec(group.title) || [];
    const alike = groups.filter((other) => other.title === group.title);
    const number = alike.length > 1 ? ` (${alike.indexOf(group) + 1})` : "";
    return `${unit ? (whose || "") + spoken(unit, inLine, whose) : group.title}${number}`;
  }

  // What is missing: an order, or so many builds or removals.
  const isHead = ({ title }) => [...facts.heads.values()].includes(title);
  const lacking = (group) => (isHead(group) ? 0 : Math.max((group.most || 1) - group.chosen.length, 0));
  const counted = (group) => `${named(group)}${group.most > 1 ? ` (${group.chosen.length} of ${group.most})` : ""}`;

  // ---- choosing

  function begin(group, said) {
    chosen = group;
    walked = [];
    settle();
    show(true, said);
  }

  // Where only one word can come next, it needs no choice.
  function settle() {
    for (let here = node(); !here.line && here.next.size === 1; here = node()) walked.push(here.next.keys().next().value);
  }

  function walk(word) {
    walked.push(word);
    settle();
    return ended();
  }

  // A whole line is written at once, but for one that gives something up.
  function ended() {
    const here = node();
    return here.line && !here.next.size && !words(here.line).some(grave) ? finish(here.line) : show(true);
  }

  function back() {
    if (!walked.length) chosen = null;
    while (walked.length) {
      walked.pop();
      if (node().line || node().next.size > 1) break;
    }
    if (chosen && !walked.length && node().next.size === 1) chosen = null;
    show(true);
  }

  // A line for a place that has one already takes its place, unless it may be written as often: `Build A Par`, `Build F Par`.
  function finish(line) {
    const group = chosen;
    changed = [group, [...group.chosen], []];
    const site = (one) => words(one).map(provinceOf).find(Boolean) || "";
    const same = group.chosen.filter((one) => (site(line) ? site(one) === site(line) : false));
    if (same.length >= group.often.get(line)) group.chosen.splice(group.chosen.indexOf(same[0]), 1);
    if (group.most && group.chosen.length >= group.most) group.chosen.shift();
    group.chosen.push(line);
    [chosen, walked] = [group.most ? null : group, []];
    const gone = changed[1].filter((one) => !group.chosen.includes(one));
    const said = `Written: ${line}${gone.length ? ` instead of ${gone.join(", ")}` : ""}. ${sentence(group, line)}.`;
    show(true, group.most ? said : `${lineOf(group)[0]}: what next, if that is taken?`);
  }

  function undo() {
    const [group, lines, half] = changed;
    [group.chosen, chosen, walked, changed] = [lines, half.length ? group : null, half, null];
    show(true, half.length ? "" : `${named(group)}: ${lines.length ? lines.join(", ") : "no order"}, as before.`);
  }

  const soFar = (by = named) => [by(chosen), ...walked.map((word) => spoken(word))].join(" ");

  // Another order is begun before this one is whole.
  function drop(group) {
    const said = walked.length ? `Not written: ${soFar()} ... ` : "";
    const half = walked.length ? [chosen, [...chosen.chosen], walked] : changed;
    begin(group);
    changed = half;
    if (said) show(true, `${said}Now ${soFar(counted)}: what next?`);
  }

  // The lines of the mail: wishes are one.
  function lineOf({ title, most, chosen: lines }) {
    return most || !lines.length ? lines : [[lines[0], ...lines.slice(1).map((line) => behind(title, line).trim())].join(", ")];
  }

  // What a tap on a province means: the next word of the order that is being made, or else a new order.
  function tapped(code) {
    const near = (word) => provinceOf(word) === code;
    if (chosen) {
      const here = node();
      const open = [...here.next.keys()].filter(near);
      if (open.length === 1) return walk(open[0]);
      if (open.length) return show(true, "", open);
      if (walked.some(near)) return here.line ? finish(here.line) : show(true);
      if (!walked.length && near(chosen.title) && here.next.has("H")) return walk("H");
      const through = [...here.next].filter(([, after]) => [...after.next.keys()].some((word) => near(word) && !word.includes(" ")));
      if (through.length === 1) {
        walked.push(through[0][0]);
        return tapped(code);
      }
    }
    const first = (some) => some.find(lacking) || some[0];
    const own = first(groups.filter((group) => near(group.title)));
    if (own) return chosen ? drop(own) : begin(own);
    const name = nameOf(code) || code;
    if (chosen) return show(false, `${soFar()}: ${name} cannot come next.`);
    const way = (group) => waysTo(group.root, near);
    const reaching = first(groups.filter((group) => !placed(group.title) && way(group)));
    if (!reaching) return show(false, `Nothing can be ordered in ${name} now.`);
    chosen = reaching;
    walked = way(reaching);
    settle();
    const open = [...node().next.keys()].filter(near);
    return open.length > 1 ? show(true, "", open) : ended();
  }

  // The words that lead to what can be chosen in a place: without more words where there are several.
  function waysTo(root, near) {
    for (const [word, here] of root.next) {
      if (near(word)) return [...root.next.keys()].filter(near).length > 1 ? [] : [word];
      const after = [...here.next.keys()].filter(near);
      if (after.length) return after.length > 1 ? [word] : [word, after[0]];
    }
    return null;
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

  function next(word) {
    const made = button(spoken(word), () => walk(word));
    made.dataset.word = word;
    return made;
  }

  const asking = () => (groups.length > 1 ? "Which unit?" : "What shall be ordered?");

  function show(focus, said = "", only = null) {
    const choices = at("choices");
    if (!chosen) {
      const missing = groups.find(lacking);
      at("step").textContent = said || asking();
      const starts = groups.map((group) => button(counted(group), () => begin(group), !lacking(group)));
      choices.replaceChildren(...starts, ...(changed ? [button(UNDO, undo)] : []));
      write();
      if (focus) (missing ? starts[groups.indexOf(missing)] : at("send")).focus({ preventScroll: true });
    } else {
      const here = node();
      const asked = here.line && !here.next.size;
      const [start, so] = [`${soFar(counted)}: what next?`, `${sentence(chosen, here.line || "")}?`];
      at("step").textContent = said || (asked ? so : start);
      const all = here.line ? [button(asked ? `Yes, write ${here.line}` : ALL, () => finish(here.line))] : [];
      if (!chosen.most && chosen.chosen.length && !walked.length) all.push(button(ALL, back), button(UNDO, undo));
      else if (changed && changed[2].length) all.push(button(UNDO, undo));
      const fresh = (word) => chosen.most || !chosen.chosen.includes(here.next.get(word).line);
      const open = [...(only || here.next.keys())].filter(fresh).sort((one, other) => grave(one) - grave(other));
      choices.replaceChildren(...all, ...open.map(next), button(BACK, back));
      write();
      if (focus) choices.firstChild.focus({ preventScroll: true });
    }
    at("note").textContent = chosen ? listed() : "";
    at("note").hidden = !at("note").textContent;
    if (facts.mapped) draw();
    keep(written());
  }

  // Orders that are one list, as those of units that are alike: what becomes of those in force.
  function listed() {
    const [place, head] = [...facts.heads].find(([code, line]) => line === chosen.title || code === codeOf(chosen.title)) || [];
    if (!head) return "";
    return `The lines for ${nameOf(place) || place} are one list. They are added to those in force while there is room for all; ${head} above them says that they are the whole list.`;
  }

  function item(group, line, number) {
    const made = document.createElement("li");
    const remove = button("Remove", () => {
      changed = [group, [...group.chosen], []];
      group.chosen.splice(number, 1);
      show(true, `Removed here: ${line}. If you have mailed it before, it stays in force until another order takes its place, or you mail CLEAR.`);
    });
    remove.setAttribute("aria-label", `Remove ${line}`);
    const [order, meaning] = [document.createElement("b"), document.createElement("span")];
    order.textContent = line;
    meaning.textContent = sentence(group, line);
    made.append(order, " ", meaning, " ", remove);
    return made;
  }

  const encoded = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

  // What is written below, blank lines and all; press ends before what a mail program adds.
  function further(text) {
    const lines = text.trim() ? text.trimEnd().split(/\r?\n/) : [];
    const begun = lines.findLastIndex((line) => /^\s*((POSTAL|GREY)\s+)*(PRESS|BROADCAST)\b/i.test(line));
    const ended = lines.findLastIndex((line) => /^\s*ENDPRESS\b/i.test(line));
    return begun > ended ? [...lines, "ENDPRESS"] : lines;
  }

  function write() {
    at("orders").replaceChildren(...groups.flatMap((group) => group.chosen.map((line, number) => item(group, line, number))));
    const without = groups.filter(lacking).map(counted);
    at("left").textContent = without.length ? `Without an order: ${without.join(", ")}.` : "Everything has an order.";
    const lines = [...groups.flatMap(lineOf), ...further(at("more").value)];
    at("mail").textContent = lines.join("\n");
    const link = `${facts.m}${facts.m.includes("?") ? "&" : "?"}body=${encoded([...lines, ""].join("\r\n"))}`;
    at("send").href = link;
    at("long").hidden = link.length <= LONG_MAIL;
  }

  // ---- the map

  function drawn(kind, attributes, text) {
    const made = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text) made.textContent = text;
    return made;
  }

  function spot(code, dislodged) {
    const place = spots.get(headOf(code));
    if (dislodged) return place.d[code] || place.d[headOf(code)] || place.u;
    return (place.c && place.c[code]) || place.u;
  }

  const onMap = (code) => spots.has(headOf(code));

  function ground() {
    for (const area of document.querySelectorAll("#areas path")) area.style.fill = "";
    facts.centres.forEach((centres, power) => centres.map((code) => at(`area-${code}`)).filter(Boolean).forEach((area) => {
      area.style.fill = `color-mix(in srgb, ${facts.powers[power].strong} 46%, var(--map-land))`;
    }));
    const centre = (code, { strong, ink, tag }) => {
      const [x, y] = spots.get(code).s;
      const made = drawn("g", { transform: `translate(${x} ${y})` });
      const fits = tag.length > 1 ? { class: "owner short", y: 3 } : { class: "owner", y: 5 };
      made.append(drawn("circle", { r: 9.6 }), drawn("text", { ...fits, fill: ink }, tag.slice(0, 3)));
      made.firstChild.style.fill = strong;
      return made;
    };
    const shown = (codes, whose) => codes.filter((code) => spots.has(code) && spots.get(code).s).map((code) => centre(code, whose));
    at("centres").replaceChildren(...shown(facts.free, { strong: "var(--map-paper)", tag: "" }), ...facts.centres.flatMap((codes, power) => shown(codes, facts.powers[power])));
    at("key").replaceChildren(...facts.powers.map(({ name, tag, strong, ink }, power) => {
      const [line, mark] = [document.createElement("li"), document.createElement("b")];
      [mark.textContent, mark.style.background, mark.style.color] = [tag, strong, ink];
      const count = facts.partly.includes(power) ? 0 : facts.centres[power].length;
      line.append(mark, ` ${name}${count ? ` ${count}` : ""}`);
      line.className = name === facts.y ? "own" : "";
      return line;
    }), ...[...new Set(facts.marks.map(({ meaning }) => meaning))].map(sample));
    const painted = (codes, colour) => codes.map((code) => at(`area-${code}`)).filter(Boolean).forEach((area) => { area.style.fill = colour; });
    painted(facts.gone, HOLE);
    for (const { meaning, codes } of facts.marks) if (paints.get(meaning)) painted(codes, paints.get(meaning));
    at("there").replaceChildren(...inWords().map(([whose, what]) => {
      const line = document.createElement("li");
      line.textContent = `${whose}: ${what.filter(Boolean).join("; ")}`;
      return line;
    }));
  }

  const HOLE = "#15101f";
  const isNobody = -1;

  // The sign of a mark that a game has on its map, in the colours of its power; a ring where the page knows none.
  function markSign(meaning, power) {
    const { strong, ink, tag } = facts.powers[power] || { strong: "#777777", ink: "#ffffff", tag: "" };
    const known = at(`sign-${signs.get(meaning)}`);
    const made = drawn("g", { class: "mark" });
    made.append(known ? known.cloneNode(true) : drawn("circle", { r: 8, fill: "none", stroke: "var(--edge)", "stroke-width": 3 }));
    made.firstChild.removeAttribute("id");
    for (const [name, colour] of [["strong", strong], ["edge", strong], ["letters", ink]]) made.style.setProperty(`--${name}`, colour);
    for (const letters of made.querySelectorAll("text")) letters.textContent = tag;
    return made;
  }

  // A mark's entry in the key: its sign, or the colour of its ground, and what it means.
  function sample(meaning) {
    const [line, box] = [document.createElement("li"), drawn("svg", { viewBox: "-16 -14 32 28", width: 26, height: 22, "aria-hidden": "true" })];
    const ground = paints.get(meaning) || (facts.marks.some((one) => one.meaning === meaning && one.codes.some((code) => facts.gone.includes(code))) && HOLE);
    box.append(ground ? drawn("rect", { x: -14, y: -11, width: 28, height: 22, fill: ground }) : markSign(meaning, isNobody));
    line.append(box, ` ${meaning}`);
    return line;
  }

  // What the map shows, for who hears it: of each power its centres, its units and its marks.
  function inWords() {
    const named = (codes) => codes.map((code) => nameOf(code) || code).join(", ");
    const marksOf = (whose) => facts.marks.filter(({ power }) => power === whose).map(({ meaning, codes }) => `${meaning}: ${named(codes)}`);
    const unit = ({ kind, code, dislodged }) => `${called(`${kind} ${code}`, kind, true, true)}${dislodged ? " (dislodged)" : ""}`;
    const lines = facts.powers.map(({ name }, power) => [name, [
      facts.centres[power].length ? `centres ${named(facts.centres[power])}` : "",
      facts.units.filter((one) => one.power === power).map(unit).join(", "),
      ...marksOf(power),
    ]]);
    return [...lines, ["No power's", [facts.free.length ? `centres ${named(facts.free)}` : "", ...marksOf(isNobody)]]].filter(([, what]) => what.some(Boolean));
  }

  // The marks, beside each other where a province has several.
  function marks(scale) {
    const before = [];
    return facts.marks.filter(({ meaning, codes }) => !paints.get(meaning) && !codes.some((code) => facts.gone.includes(code))).flatMap(({ meaning, power, codes }) => codes.map((code) => {
      const [[x, y], beside] = [spots.get(code).m, before.filter((one) => one === code).length];
      before.push(code);
      const made = markSign(meaning, power);
      made.setAttribute("transform", `translate(${x + 26 * beside} ${y}) scale(${scale})`);
      return made;
    }));
  }

  // Where the eye should be: what is being ordered and where it could lead, or else all that can be ordered.
  function looked() {
    const some = chosen ? [[chosen, node()]] : groups.map((group) => [group, group.root]);
    const codes = some.flatMap(([group, here]) => [placed(group.title), ...onward(here).map(placed), ...[...here.next.values()].flatMap((after) => (placed(group.title) ? [] : [...after.next.keys()].map(placed)))]);
    if (chosen) codes.push(...walked.map(placed));
    return [...new Set(codes.filter(Boolean).flatMap((code) => [code, headOf(code)]))].map((code) => spot(code));
  }

  const AIR = 70;      // about what is looked at, in the sheet's units
  const LEAST = 380;   // the width of the closest look
  const SIGN = 24;     // the width of a unit's sign
  const MOST = 1.7;    // so many units of the sheet in a pixel at most: names have 11 pixels and units 14, and fingers find provinces

  // What is looked at, as large as there is room for it; or where it is too much, the whole sheet, which is moved by hand.
  function frame() {
    const [width, height] = [at("sheet").clientWidth || 374, at("sheet").clientHeight || 340];
    const points = looked();
    const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const middle = [across, down].map((some) => (Math.max(...some) + Math.min(...some)) / 2);
    const spread = [across, down].map((some) => Math.max(...some) - Math.min(...some) + 2 * AIR);
    const close = Math.max(spread[0] / width, spread[1] / height, LEAST / width);
    const full = Math.max(board.width / width, board.height / height);
    const moved = whole || !points.length || close > Math.min(MOST, full);
    const stays = view && !moved && view.for === `${width} ${height}` && points.every(([x, y]) => [x - view.corner[0], view.corner[0] + view.wide - x, y - view.corner[1], view.corner[1] + view.high - y].every((room) => room >= AIR / 2));
    const unit = moved ? Math.min(MOST, full) : stays ? view.unit : close;  // of the sheet, in a pixel of the screen
    const inside = (from, size, sheet) => (size < sheet ? Math.min(Math.max(from, 0), sheet - size) : (sheet - size) / 2);
    const corner = moved ? [0, 0] : stays ? view.corner : [inside(middle[0] - (width * unit) / 2, width * unit, board.width), inside(middle[1] - (height * unit) / 2, height * unit, board.height)];
    const [wide, high] = moved ? [board.width, board.height] : [width * unit, height * unit];
    view = moved ? null : { for: `${width} ${height}`, corner, wide, high, unit };
    at("map").setAttribute("viewBox", [...corner, wide, high].join(" "));
    at("map").style.width = `${Math.max(wide / unit, width)}px`;
    at("map").style.height = `${Math.max(high / unit, height)}px`;
    at("map").style.setProperty("--label", `${Math.max(13 * unit, 14)}px`);
    at("zoom").textContent = moved ? "Closer" : "Whole map";
    at("zoom").hidden = moved && !whole;  // it is too much for a closer look
    at("hint").hidden = !moved || unit === full;
    if (chosen || !eye) eye = chosen && placed(chosen.title) ? spot(placed(chosen.title)) : points.length ? middle : null;
    if (eye && eye !== shown) at("sheet").scrollTo(eye[0] / unit - width / 2, eye[1] / unit - height / 2);
    shown = moved ? eye : null;
    return Math.min(Math.max((20 * unit) / SIGN, 0.8), 1);  // at most as large as the sheet has room for beside names
  }

  // What is written, and the places that can be tapped next.
  function draw() {
    const scale = frame();
    at("marks").replaceChildren(...marks(scale));
    at("units").replaceChildren(...facts.units.filter((unit) => onMap(unit.code)).map((unit) => sign(unit, scale)));
    const signs = groups.flatMap((group) => group.chosen.flatMap((line) => traced(line, scale)));
    const isCross = (one) => one.classList.contains("cross");
    at("arrows").replaceChildren(...signs.filter((one) => !isCross(one)));
    at("crosses").replaceChildren(...signs.filter(isCross));  // on the units that go
    const open = chosen ? onward(node()).map(provinceOf) : [];
    const here = chosen ? [provinceOf(chosen.title)] : [];
    for (const area of document.querySelectorAll("#areas path")) {
      area.classList.toggle("open", open.includes(area.dataset.place));
      area.classList.toggle("here", here.includes(area.dataset.place));
    }
    at("edges").replaceChildren(...[...new Set([...open, ...here])].filter((code) => at(`area-${code}`)).map((code) => drawn("path", {
      d: at(`area-${code}`).getAttribute("d"), class: here.includes(code) ? "edge own" : "edge",
    })));
  }

  function sign({ power, kind, code, dislodged }, scale) {
    const [x, y] = spot(code, dislodged);
    const { strong, ink, tag, name } = facts.powers[power];
    const made = drawn("g", { transform: `translate(${x} ${y}) scale(${scale})`, "data-place": headOf(code) });
    if (name === facts.y || !facts.y) made.classList.add("own");
    if (dislodged) made.classList.add("dislodged");
    made.append(drawn("path", { d: kind === "F" ? board.fleet : board.army }));
    made.firstChild.style.fill = strong;
    made.append(drawn("text", { class: "tag", fill: ink, y: kind === "F" ? 11 : 5 }, tag));
    return made;
  }

  const between = ([x, y], [left, top], share) => [x + (left - x) * share, y + (top - y) * share];

  function arrow(from, to, kind, scale, headed = true) {
    const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [dx, dy] = [(to[0] - from[0]) / far, (to[1] - from[1]) / far];
    const size = 9 * scale;
    const end = headed ? between(from, to, Math.max(1 - (13 * scale) / far, 0.4)) : to;
    const back = [end[0] - dx * size, end[1] - dy * size];
    const line = drawn("path", { class: kind, d: `M${from}L${headed ? back : end}`, "stroke-width": 3.5 * scale });
    const head = `M${end}L${[back[0] - dy * size * 0.6, back[1] + dx * size * 0.6]}L${[back[0] + dy * size * 0.6, back[1] - dx * size * 0.6]}z`;
    return headed ? [line, drawn("path", { class: `head ${kind}`, d: head })] : [line, drawn("circle", { class: kind, cx: end[0], cy: end[1], r: 5 * scale, "stroke-width": 2 * scale })];
  }

  function ring([x, y], kind, scale) {
    return [drawn("circle", { class: kind, cx: x, cy: y, r: 18 * scale, "stroke-width": 2.5 * scale })];
  }

  // Around a unit that does what only its game has, as on the map of the report.
  function frameAround([x, y], scale) {
    return drawn("path", { class: "stays", "stroke-width": 3.2, d: "M-24-14V-21H-14M14-21H24V-14M24 14V21H14M-14 21H-24V14", transform: `translate(${x} ${y}) scale(${scale})` });
  }

  function shape([x, y], fleet, scale) {
    return drawn("path", { class: "new", d: fleet ? board.fleet : board.army, transform: `translate(${x} ${y}) scale(${scale})` });
  }

  // An order as signs on the map: an arrow for what moves, a dotted line for who helps, a ring for what stays or is built.
  function traced(line, scale) {
    const said = words(line);
    const codes = said.map(placed).filter(Boolean);
    if (!codes.length) return [];
    const dislodged = facts.units.some((unit) => unit.dislodged && unit.code === codes[0]);
    const from = spot(codes[0], dislodged);
    const goes = said.some((word) => word.startsWith("-"));
    const helps = said.includes("S") || said.includes("C");
    const sky = [from[0], from[1] - 90 * scale];
    const deed = said.find((word) => facts.w.has(word) && !verbs.has(word));
    if (said.includes("disband")) return [drawn("path", { class: "cross", "stroke-width": 4 * scale, d: `M${from}m${[-9 * scale, -9 * scale]}l${[18 * scale, 18 * scale]}m0 ${-18 * scale}l${[-18 * scale, 18 * scale]}` })];
    if (helps && codes.length > 2) return arrow(from, between(spot(codes[1]), spot(codes[2]), 0.5), "helps", scale, false);
    if (helps && codes.length === 2) return arrow(from, spot(codes[1]), "helps", scale, false);
    if (deed && !goes && said[0].includes(" ")) return [frameAround(from, scale), ...(codes.length > 1 ? arrow(from, spot(codes[1]), "helps", scale, false) : [])];
    if (codes.length > 2 && goes) return codes.slice(1).flatMap((code, before) => arrow(before ? spot(codes[before]) : from, spot(code), "goes", scale, before === codes.length - 2));
    if (codes.length > 1) return arrow(from, spot(codes[codes.length - 1]), goes || said.includes("R") ? "goes" : "helps", scale, goes || said.includes("R"));
    if (said.includes("Build")) return [...ring(from, "helps", scale), shape(from, said.some((word) => word.startsWith("F ")), scale)];
    if (goes && !placed(said[said.length - 1])) return arrow(from, sky, "goes", scale);
    if (goes || /:$/.test(said[said.length - 2] || "")) return arrow(sky, from, "goes", scale);
    return ring(from, said.includes("H") ? "stays" : "helps", scale);
  }

  at("map").addEventListener("click", (event) => {
    const found = event.target.closest("[data-place]");
    const meant = event.detail < 2 && (!event.isTrusted || event.timeStamp - movedAt > 350);
    if (!found || !facts || !meant) return;
    const seen = () => `${at("map").getAttribute("viewBox")} ${at("sheet").scrollLeft} ${at("sheet").scrollTop}`;
    const before = seen();
    tapped(found.dataset.place);
    if (before !== seen()) movedAt = event.timeStamp;
  });
  at("zoom").addEventListener("click", () => {
    whole = !whole;
    draw();
  });
  at("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(at("mail").textContent);
      at("step").textContent = "The lines are copied.";
    } catch {
      getSelection().selectAllChildren(at("mail"));
      at("step").textContent = "The lines are selected: copy them.";
    }
  });
  at("more").addEventListener("input", () => {
    write();
    keep(written());
  });
  addEventListener("resize", () => {
    if (facts && facts.mapped) draw();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && facts && chosen) back();
  });
  // Another link where the page is open already: it is taken before the browser goes there, or in older ones behind it.
  if (window.navigation) navigation.addEventListener("navigate", (event) => {
    const hash = event.hashChange && event.cancelable ? new URL(event.destination.url).hash : "";
    if (hash) event.preventDefault();
    if (hash) open(hash);
  });
  addEventListener("hashchange", () => open(location.hash));
  open(location.hash);
})();
