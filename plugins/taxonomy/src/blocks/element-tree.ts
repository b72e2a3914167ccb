import type { LibraryTreeArc, ShownElement } from '../models/library-rows.ts';
import { groupBy } from '../values/index.ts';

/** A concept that many networks share is shown below each of its parents, so that a tree may outgrow its elements. */
export const maxTreeNodes = 20_000;

export interface TreeNode<T> {
  readonly element: T;
  readonly children: readonly TreeNode<T>[];
}

export interface TreeSource<T> {
  arcsBelow(parentIds: readonly string[]): Promise<readonly LibraryTreeArc[]>;
  elements(ids: readonly string[]): Promise<ReadonlyMap<string, ShownElement>>;
  show(row: ShownElement): T;
}

/**
 * The element with at most so many levels below it, read level by level with one statement each. Undefined when the
 * element is unknown. An element that lies on the path to itself is shown there without children.
 */
export async function elementTree<T>(
  rootId: string,
  levels: number,
  source: TreeSource<T>,
): Promise<TreeNode<T> | 'too large' | undefined> {
  const root = (await source.elements([rootId])).get(rootId);
  if (root === undefined) return undefined;
  const below = new Map<string, readonly LibraryTreeArc[]>();
  const known = new Set([rootId]);
  let frontier = [rootId];
  for (let level = 0; level < levels && frontier.length > 0; level += 1) {
    const arcs = await source.arcsBelow(frontier);
    for (const [parentId, children] of groupBy(arcs, ({ parent_id }) => parent_id)) below.set(parentId, children);
    frontier = [...new Set(arcs.map(({ child_id }) => child_id))].filter((id) => !known.has(id));
    for (const id of frontier) known.add(id);
  }
  const rows = await source.elements([...known]);
  let nodes = 0;
  const grow = (row: ShownElement, path: ReadonlySet<string>, levelsLeft: number): TreeNode<T> => {
    nodes += 1;
    const isOpen = levelsLeft > 0 && !path.has(row.id) && nodes <= maxTreeNodes;
    const onward = new Set(path).add(row.id);
    const children = (isOpen ? (below.get(row.id) ?? []) : [])
      .flatMap(({ child_id, order_value }) => {
        const child = rows.get(child_id);
        return child === undefined ? [] : [{ child, order_value }];
      })
      .sort((a, b) => a.order_value - b.order_value || (a.child.qname < b.child.qname ? -1 : 1))
      .map(({ child }) => grow(child, onward, levelsLeft - 1));
    return { element: source.show(row), children };
  };
  const tree = grow(root, new Set(), levels);
  return nodes > maxTreeNodes ? 'too large' : tree;
}
