import { ServiceError } from '@pacioli/core';

/** Read them, remove one, or store a text. */
export type MemoryAccess = 'read' | 'remove' | 'store';

/** Graphs that are not a customer’s own. */
const sharedTypes: ReadonlySet<string> = new Set(['repository', 'library']);

/** Throws 503 while memory is off, 403 on shared graphs, and 403 for texts of a subgraph (ME-2, graphs SG-10). */
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
