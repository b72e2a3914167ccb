import { renameSync } from 'node:fs';
import type { OpenRequest } from '../protocol.ts';
import { Engine } from './engine.ts';

/**
 * Opens a database. A log that the engine cannot read holds the statement that was being written when its process
 * ended: it was not acknowledged, because each statement is checkpointed before. The log is kept aside.
 */
export async function openEngine(request: OpenRequest): Promise<Engine> {
  const engine = new Engine(request);
  try {
    await verified(engine);
    return engine;
  } catch (error) {
    if (request.mode === 'read' || !/corrupted wal file/i.test(String(error))) throw error;
    renameSync(`${request.path}.wal`, `${request.path}.wal.unreadable`);
    const recovered = new Engine(request);
    await verified(recovered);
    return recovered;
  }
}

/** Opening is lazy, so a first connection shows whether the file can be used. */
async function verified(engine: Engine): Promise<void> {
  await (await engine.connect(10_000)).close();
}
