import type { Log } from '@pacioli/core/ports';
import type { Connections } from './connections.ts';

/** The setting that ends a statement whose rows need too much memory (graphs E-38). */
const setting = 'db.memory.transaction.max';

/**
 * Warns of servers that let one statement use all of their memory, and of those that do not tell their user
 * (graphs E-38). A server that does not answer is reported by its health.
 */
export async function warnOfMissingMemoryLimits(connections: Connections, log: Log): Promise<void> {
  for (const address of connections.addresses) {
    const limit = await memoryLimit(connections, address);
    if (limit === 'none')
      log.warn(`a graph server has no limit of memory for a statement: set ${setting} on it`, { address });
    if (limit === 'unknown')
      log.warn(`a graph server does not show its settings: make sure that it has ${setting}`, { address });
  }
}

async function memoryLimit(connections: Connections, address: string): Promise<'none' | 'set' | 'unknown' | 'silent'> {
  const session = connections.session(address, 'read');
  try {
    const { records } = await session.run(`SHOW SETTINGS '${setting}' YIELD value RETURN value`);
    const value: unknown = records[0]?.get('value');
    if (typeof value !== 'string') return 'unknown';
    return /^0(?:\.0+)?\s*[A-Za-z]*$/.test(value) ? 'none' : 'set';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return /Security\.Forbidden|Statement\./.test(code) ? 'unknown' : 'silent';
  } finally {
    await connections.end(session);
  }
}
