import type { Clock } from '@pacioli/core';

/** A clock that advances only when a test moves it. */
export interface FixedClock extends Clock {
  set(instant: string): void;
  advance(milliseconds: number): void;
}

export function fixedClock(instant: string): FixedClock {
  let now = Date.parse(instant);
  return {
    now: () => new Date(now),
    set: (next) => {
      now = Date.parse(next);
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
