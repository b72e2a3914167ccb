import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock, Ids } from './kernel-tokens.ts';

/** The system clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Generates ids that sort by creation order within a process (ledger L-1). */
export function ulidIds(clock: Clock): Ids {
  const make = monotonicFactory(randomFractions());
  return { make: (prefix) => `${prefix}_${make(clock.now().getTime())}` };
}

const randomPoolBytes = 4_096;

/** Random numbers from 0 to less than 1 in steps of 1/256, fetched in batches: an id needs sixteen. */
function randomFractions(): () => number {
  const pool = Buffer.alloc(randomPoolBytes);
  let used = randomPoolBytes;
  return () => {
    if (used === randomPoolBytes) {
      randomFillSync(pool);
      used = 0;
    }
    return pool.readUInt8(used++) / 256;
  };
}
