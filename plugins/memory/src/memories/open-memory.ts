import { ServiceError } from '@pacioli/core';

/** The kinds of access: reading memories, removing one, and storing texts. */
export type MemoryAccess = 'read' | 'remove' | 'store';

/** The types of graphs that belong to no tenant. */
const sharedTypes: ReadonlySet<string> = new Set(['repository', 'library']);

/** Throws 503 while memory is off, and 403 on shared graphs and for storing on a subgraph (ME-2, graphs SG-10). */
export function requireOpenMemory(
  settings: { readonly enabled: boolean },
  graph: { readonly type: string; readonly parentId?: string },
  access: MemoryAccess,
): void {
  if (!settings.enabled) throw new ServiceError('unavailable', 'MEMORY_OFF', 'Semantic memory is not enabled');
  if (sharedTypes.has(graph.type)) throw forbidden('Content operations are not available on shared repositories');
  if (access === 'store' && graph.parentId !== undefined)
    throw forbidden('Subgraphs do not hold memories; store them on the parent graph.');
}

function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', 'FORBIDDEN', message);
}
