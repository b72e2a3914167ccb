import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';

/** Parts of the engine, each after those that it uses. Together they take 150 to 200 ms, and each at most some 50. */
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
    try {
      require(part);
    } catch {
      // In a version without this part, the import of the engine loads what is left.
    }
    await setImmediate();
  }
}
