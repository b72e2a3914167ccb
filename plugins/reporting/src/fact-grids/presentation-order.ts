/** An arc of a presentation, by the identifiers of its ends. */
export interface PresentationArc {
  readonly from: string;
  readonly to: string;
  readonly order: number | null;
  readonly label: string | null;
  /** True if the parent is abstract: a heading. A parent that is not is the total of its children. */
  readonly is_heading: boolean;
}

/** A place in a presentation; an element may have several. */
export interface PresentationRow {
  readonly element: string;
  /** The elements above it, from the top. */
  readonly path: readonly string[];
  readonly preferredLabel: string | null;
}

/** An arc below one of its own descendants is left out, and so is what is deeper than this. */
const maxDepth = 100;

/**
 * The shown elements of a presentation in print order, with the headings above them: headings before their children,
 * totals after them, children by order, then identifier. A root is an element that is no child.
 */
export function presentationRows(
  arcs: readonly PresentationArc[],
  isShown: (element: string) => boolean,
): readonly PresentationRow[] {
  const children = new Map<string, PresentationArc[]>();
  for (const arc of arcs) children.set(arc.from, [...(children.get(arc.from) ?? []), arc]);
  for (const list of children.values()) list.sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || (a.to < b.to ? -1 : 1));
  const isChild = new Set(arcs.map(({ to }) => to));
  const rowsBelow = (element: string, preferredLabel: string | null, path: readonly string[]): PresentationRow[] => {
    if (path.includes(element) || path.length > maxDepth) return [];
    const own = { element, path, preferredLabel };
    const arcsBelow = children.get(element) ?? [];
    const below = arcsBelow.flatMap((arc) => rowsBelow(arc.to, arc.label, [...path, element]));
    if (arcsBelow[0]?.is_heading === true) return below.length === 0 && !isShown(element) ? [] : [own, ...below];
    return isShown(element) ? [...below, own] : below;
  };
  const roots = [...children.keys()].filter((element) => !isChild.has(element)).sort();
  return roots.flatMap((root) => rowsBelow(root, null, []));
}
