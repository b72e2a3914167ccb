/** The part of a library that an upgrade compares. */
export interface LibraryContent {
  readonly elements: readonly { readonly id: string; readonly qname: string }[];
  readonly calculations: readonly CalculationArc[];
}

export interface CalculationArc {
  readonly id: string;
  readonly totalId: string;
  readonly itemId: string;
  readonly weight: number;
}

/** A calculation that is added, removed or weighted differently; the weight is null where it does not exist. */
export interface ChangedCalculation {
  readonly totalId: string;
  readonly itemId: string;
  readonly weightBefore: number | null;
  readonly weightAfter: number | null;
}

/** The differences to another edition of the library (taxonomy LB-12). */
export interface LibraryChanges {
  readonly dropped: LibraryContent['elements'];
  readonly added: LibraryContent['elements'];
  readonly calculations: readonly ChangedCalculation[];
}

/** Compares two editions by the ids of their rows, which stay the same from one to the next (taxonomy LB-4). */
export function libraryChanges(before: LibraryContent, after: LibraryContent): LibraryChanges {
  const idsBefore = new Set(before.elements.map(({ id }) => id));
  const idsAfter = new Set(after.elements.map(({ id }) => id));
  const weightsBefore = new Map(before.calculations.map((arc) => [arc.id, arc.weight]));
  const weightsAfter = new Map(after.calculations.map((arc) => [arc.id, arc.weight]));
  const arcs = new Map([...before.calculations, ...after.calculations].map((arc) => [arc.id, arc]));
  return {
    dropped: before.elements.filter(({ id }) => !idsAfter.has(id)),
    added: after.elements.filter(({ id }) => !idsBefore.has(id)),
    calculations: [...arcs.values()].flatMap(({ id, totalId, itemId }) => {
      const weightBefore = weightsBefore.get(id) ?? null;
      const weightAfter = weightsAfter.get(id) ?? null;
      return weightBefore === weightAfter ? [] : [{ totalId, itemId, weightBefore, weightAfter }];
    }),
  };
}

/** The mapped concepts whose amounts flow into one of the changed calculations, in either edition. */
export function conceptsAffected(
  changes: readonly ChangedCalculation[],
  arcs: readonly CalculationArc[],
  mapped: ReadonlySet<string>,
): ReadonlySet<string> {
  const items = new Map<string, string[]>();
  for (const { totalId, itemId } of arcs) items.set(totalId, [...(items.get(totalId) ?? []), itemId]);
  const seen = new Set<string>();
  const open = changes.map(({ itemId }) => itemId);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(items.get(id) ?? []));
  }
  return new Set([...mapped].filter((id) => seen.has(id)));
}
