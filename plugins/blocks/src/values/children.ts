import type { WeightedChild } from '../models/rule-patterns.ts';

/** The summands of a total in one structure; other structures may break the same total down differently. */
export interface Arrangement {
  readonly structureId: string;
  readonly parentId: string;
  readonly children: readonly WeightedChild[];
}

/** The part of an arc that summation needs. */
export interface SummationArc {
  readonly structureId: string;
  readonly fromElementId: string;
  readonly toElementId: string;
  readonly associationType: string;
  readonly weight: number | null;
}

/** The summands of each total, by structure and total, in the order of the arcs. */
export function arrangementsOf(arcs: readonly SummationArc[]): readonly Arrangement[] {
  const found = new Map<string, { structureId: string; parentId: string; children: WeightedChild[] }>();
  for (const arc of arcs) {
    if (arc.associationType !== 'calculation') continue;
    const key = `${arc.structureId} ${arc.fromElementId}`;
    const known = found.get(key) ?? { structureId: arc.structureId, parentId: arc.fromElementId, children: [] };
    known.children.push({ elementId: arc.toElementId, weight: String(arc.weight ?? 1) });
    found.set(key, known);
  }
  return [...found.values()];
}

/**
 * Finds the summands of a total in one structure: the structure's own arcs take precedence; otherwise the widest
 * shipped arrangement whose summands are all in the structure (reporting S-19). Arrangements are never merged.
 */
export function childrenIn(
  own: readonly Arrangement[],
  shipped: ReadonlyMap<string, readonly Arrangement[]>,
  elementIds: ReadonlySet<string>,
): (elementId: string) => readonly WeightedChild[] {
  const ownByParent = new Map(own.map(({ parentId, children }) => [parentId, children]));
  return (parentId) => {
    const local = ownByParent.get(parentId);
    if (local !== undefined) return local;
    const candidates = (shipped.get(parentId) ?? []).filter(({ children }) =>
      children.every(({ elementId }) => elementIds.has(elementId)),
    );
    const [widest] = [...candidates].sort(
      (a, b) => b.children.length - a.children.length || (a.structureId < b.structureId ? -1 : 1),
    );
    return widest?.children ?? [];
  };
}
