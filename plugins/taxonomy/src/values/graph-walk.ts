/** A directed arc between two names. */
export interface Arc {
  readonly from: string;
  readonly to: string;
}

/** The first directed cycle of the arcs, with its first name repeated at the end; undefined when there is none. */
export function findCycle(arcs: readonly Arc[]): readonly string[] | undefined {
  const children = childrenOf(arcs);
  const finished = new Set<string>();
  for (const start of children.keys()) {
    const cycle = cycleFrom(start, children, finished);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Every name that can be reached from the starts along the arcs, the starts included. */
export function reachableFrom(starts: Iterable<string>, arcs: readonly Arc[]): ReadonlySet<string> {
  const children = childrenOf(arcs);
  const reached = new Set<string>(starts);
  // A set grows while it is walked: new names are visited in the same loop.
  for (const name of reached) for (const child of children.get(name) ?? []) reached.add(child);
  return reached;
}

function childrenOf(arcs: readonly Arc[]): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const { from, to } of arcs) {
    const known = children.get(from);
    if (known === undefined) children.set(from, [to]);
    else known.push(to);
  }
  return children;
}

/** Walks depth first with a stack of its own: a chain of twenty thousand arcs must not exhaust the call stack. */
function cycleFrom(
  start: string,
  children: ReadonlyMap<string, readonly string[]>,
  finished: Set<string>,
): readonly string[] | undefined {
  if (finished.has(start)) return undefined;
  const path: { name: string; next: number }[] = [{ name: start, next: 0 }];
  const positions = new Map<string, number>([[start, 0]]);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const child = children.get(top.name)?.[top.next];
    top.next += 1;
    if (child === undefined) {
      finished.add(top.name);
      positions.delete(top.name);
      path.pop();
    } else if (positions.has(child)) {
      return [...path.slice(positions.get(child)).map(({ name }) => name), child];
    } else if (!finished.has(child)) {
      positions.set(child, path.length);
      path.push({ name: child, next: 0 });
    }
  }
  return undefined;
}
