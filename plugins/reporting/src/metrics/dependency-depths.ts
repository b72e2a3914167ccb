type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * The dependency depth of each node: 0 without dependencies, otherwise one more than the deepest of them. `cyclic` are
 * the nodes on a cycle or between two cycles; nodes that depend on a cycle have the greatest depth. Names that are not
 * nodes are ignored.
 */
export function dependencyDepths(dependencies: Edges): {
  readonly depths: ReadonlyMap<string, number>;
  readonly cyclic: ReadonlySet<string>;
} {
  const depths = new Map(peel(dependencies));
  const rest = new Map([...dependencies].filter(([id]) => !depths.has(id)));
  // The rest is on a cycle or depends on one; peeling from the other end removes those that only depend on one.
  const dependent = new Set(peel(reversed(rest)).keys());
  for (const id of dependent) depths.set(id, dependencies.size);
  return { depths, cyclic: new Set([...rest.keys()].filter((id) => !dependent.has(id))) };
}

/** Removes nodes whose targets are all removed, as long as there are any, and returns their depths. */
function peel(edges: Edges): ReadonlyMap<string, number> {
  const open = new Map(
    [...edges].map(([id, targets]) => [id, new Set(targets.filter((each) => edges.has(each))).size]),
  );
  const sources = reversed(edges);
  const depths = new Map<string, number>();
  const ready = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  for (const id of ready) depths.set(id, 0);
  // The list grows while it is read.
  for (const id of ready) {
    for (const source of sources.get(id) ?? []) {
      depths.set(source, Math.max(depths.get(source) ?? 0, (depths.get(id) ?? 0) + 1));
      const count = (open.get(source) ?? 0) - 1;
      open.set(source, count);
      if (count === 0) ready.push(source);
    }
  }
  return new Map(ready.map((id) => [id, depths.get(id) ?? 0]));
}

/** The same nodes with every edge turned around, without duplicates. */
function reversed(edges: Edges): Edges {
  const turned = new Map<string, string[]>([...edges.keys()].map((id) => [id, []]));
  for (const [id, targets] of edges) {
    for (const target of new Set(targets)) turned.get(target)?.push(id);
  }
  return turned;
}
