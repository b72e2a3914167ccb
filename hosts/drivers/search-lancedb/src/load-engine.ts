import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';

/** Parts of the engine in the order of their use of each other. Loading all of them at once takes 150 to 200 ms. */
const parts = [
  'apache-arrow/type',
  'apache-arrow/data',
  'apache-arrow/table',
  'apache-arrow/ipc/writer',
  'apache-arrow',
  '@lancedb/lancedb/embedding',
  '@lancedb/lancedb',
];

/** Loads the engine. Other requests get their turn between its parts. */
export async function loadEngine(): Promise<void> {
  const require = createRequire(import.meta.url);
  for (const part of parts) {
    require(part);
    await setImmediate();
  }
}
