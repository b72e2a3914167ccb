import { monotonicFactory } from 'ulid';
import type { Clock, Ids } from './kernel-tokens.ts';

/** The time of the machine. */
export const systemClock: Clock = { now: () => new Date() };

/** Ids whose order is the order of their making within a process (ledger L-1). */
export function ulidIds(clock: Clock): Ids {
  const make = monotonicFactory();
  return { make: (prefix) => `${prefix}_${make(clock.now().getTime())}` };
}
