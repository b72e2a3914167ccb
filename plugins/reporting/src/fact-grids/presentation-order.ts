/** An arc of a presentation, by the identifiers of its ends. */
export interface PresentationArc {
  readonly from: string;
  readonly to: string;
  readonly order: number | null;
  readonly label: string | null;
}

/** A place in a presentation; an element may have several. */
export interface PresentationRow {
  readonly element: string;
  readonly depth: number;
  readonly preferredLabel: string | null;
}

/** An arc below one of its own descendants is left out, and so is what is deeper than this. */
const maxDepth = 100;

/**
 * The elements of a presentation in print order: parents before their children, children by order, then identifier. A
 * root is an element that is no child.
 */
export function presentationRows(arcs: readonly PresentationArc[]): readonly PresentationRow[] {
  const children = new Map<string, PresentationArc[]>();
  for (const arc of arcs) children.set(arc.from, [...(children.get(arc.from) ?? []), arc]);
  for (const list of children.values()) list.sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || (a.to < b.to ? -1 : 1));
  const isChild = new Set(arcs.map(({ to }) => to));
  const rows: PresentationRow[] = [];
  const visit = (element: string, preferredLabel: string | null, path: readonly string[]): void => {
    if (path.includes(element) || path.length > maxDepth) return;
    rows.push({ element, depth: path.length, preferredLabel });
    for (const arc of children.get(element) ?? []) visit(arc.to, arc.label, [...path, element]);
  };
  for (const root of [...children.keys()].filter((element) => !isChild.has(element)).sort()) visit(root, null, []);
  return rows;
}
