// What a unit can be ordered by the standard rules on the standard board, as gm/orders/possible.py finds it: the lines that a
// link leaves out. `board` has the steps of armies and fleets from each place, and the seas; `units` are [kind, place] pairs.
"use strict";
const rules = (board, gone, units) => {
  const head = (at) => at.split("/")[0];
  const short = (at) => (at.split("/")[0].length < 3 ? at.toUpperCase() : at[0].toUpperCase() + at.slice(1));
  const named = ([kind, at]) => `${kind} ${short(at)}`;
  const there = (at) => !gone.includes(head(at));
  const table = new Map(Object.entries(board.steps).map(([kind, from]) => [kind, new Map(Object.entries(from))]));
  const row = (kind, at) => (there(at) && table.has(kind) && table.get(kind).get(at)) || [];
  const steps = (kind, at) => row(kind, at).filter(there);
  const stands = ([kind, at]) => row(kind, at).length > 0;
  const known = units.filter(stands);
  const seas = known.filter(([kind, at]) => kind === "F" && board.seas.includes(at)).map(([, at]) => at);

  const borders = (sea, province) => steps("F", sea).some((to) => head(to) === province);

  // The fleets that could take part in a convoy of the army, and where they could bring it.
  function shores(at) {
    const reached = seas.filter((sea) => borders(sea, head(at)));
    for (const sea of reached) reached.push(...seas.filter((to) => !reached.includes(to) && steps("F", sea).includes(to)));
    const coasts = new Set(reached.flatMap((sea) => steps("F", sea).map(head)));
    return [reached, [...coasts].filter((to) => to !== head(at) && row("A", to).length)];
  }

  function destinations([kind, at]) {
    const near = steps(kind, at);
    return kind === "A" ? [...near, ...shores(at)[1].filter((to) => !near.includes(to))] : near;
  }

  // Where an army could go by land or by convoy: it goes by land unless that is written (DATC 4.A.3).
  const overseas = ([kind, at]) => (kind === "A" ? shores(at)[1].filter((to) => steps(kind, at).includes(to)) : []);

  // The fleets that some route needs: no two of its spaces border each other except neighbours in the chain (DATC 6.G.19).
  function helpful(origin, target) {
    const first = seas.filter((sea) => borders(sea, origin));
    const found = new Set();
    const lengthen = (chain, between) => {
      const end = chain[chain.length - 1];
      if (borders(end, target)) return chain.forEach((sea) => found.add(sea));
      const onward = between.filter((sea) => steps("F", end).includes(sea));
      const beyond = between.filter((sea) => !onward.includes(sea));
      return onward.forEach((sea) => lengthen([...chain, sea], beyond));
    };
    first.forEach((sea) => lengthen([sea], seas.filter((other) => !first.includes(other))));
    return found;
  }

  function supports(unit) {
    const into = new Set(steps(...unit).map(head));
    return known.filter((other) => other[1] !== unit[1]).flatMap((other) => [
      ...(into.has(head(other[1])) ? [named(other)] : []),
      ...destinations(other).filter((to) => into.has(head(to)) && head(to) !== head(unit[1])).map((to) => `${named(other)}-${short(to)}`),
    ]);
  }

  function convoys([, at]) {
    if (!seas.includes(at)) return [];
    return known.filter(([kind]) => kind === "A").flatMap((army) => {
      const [reached, coasts] = shores(army[1]);
      if (!reached.includes(at)) return [];
      return coasts.filter((to) => helpful(head(army[1]), to).has(at)).map((to) => `${named(army)}-${short(to)}`);
    });
  }

  return ([kind, at]) => {
    const unit = [kind, at];
    if (!stands(unit)) return [];
    const name = named(unit);
    return [
      `${name} H`,
      ...destinations(unit).map((to) => `${name}-${short(to)}`),
      ...overseas(unit).map((to) => `${name}-${short(to)} via convoy`),
      ...supports(unit).map((helped) => `${name} S ${helped}`),
      ...convoys(unit).map((helped) => `${name} C ${helped}`),
    ];
  };
};
