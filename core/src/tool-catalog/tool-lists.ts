import type { AssembledTool } from './assembled-tools.ts';
import { isAvailable, type Viewpoint } from './availability.ts';
import type { ListedTool } from './catalog.ts';

/** The most lists that a process keeps, one for each set of tools that some caller may use. */
const maxLists = 100;

/**
 * Returns the same list to all callers who may use the same tools, so that what is made from a list can be kept with it.
 * Availability itself is checked for each request and never kept.
 */
export class ToolLists {
  readonly #lists = new Map<string, readonly ListedTool[]>();

  list(tools: Iterable<AssembledTool>, viewpoint: Viewpoint): readonly ListedTool[] {
    const available: ListedTool[] = [];
    let key = '';
    for (const tool of tools) {
      const isListed = isAvailable(tool, viewpoint);
      key += isListed ? '1' : '0';
      if (isListed) available.push(tool.listed);
    }
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#lists.keys();
    if (this.#lists.size >= maxLists && oldest !== undefined) this.#lists.delete(oldest);
    this.#lists.set(key, available);
    return available;
  }
}
