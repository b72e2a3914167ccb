import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTo, countIn, secondsUntilCapacity, slidingWindow, slotMilliseconds, slotOf } from './sliding-window.ts';

const startMs = Date.parse('2026-03-02T09:00:00Z');

describe('a sliding window', () => {
  it('counts exactly the calls whose slot is still in the window, at any time (platform R-1)', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.constantFrom(60, 300, 3600), gaps, (seconds, waits) => {
        const window = slidingWindow(seconds);
        const calls: number[] = [];
        let nowMs = startMs;
        for (const wait of waits) {
          nowMs += wait;
          const before = slotOf(window, nowMs - seconds * 1000);
          expect(countIn(window, nowMs)).toBe(calls.filter((at) => slotOf(window, at) > before).length);
          addTo(window, nowMs, 1);
          calls.push(nowMs);
        }
      }),
    );
  });

  it('returns the seconds until the oldest call leaves, at least one (platform R-8)', () => {
    const window = slidingWindow(60);
    addTo(window, startMs, 1);
    addTo(window, startMs + 20_000, 1);
    const wait = secondsUntilCapacity(window, startMs + 30_000);
    expect(wait).toBe(30);
    expect(countIn(window, startMs + 30_000 + wait * 1000)).toBe(1);
    expect(secondsUntilCapacity(window, startMs + 1_000_000)).toBe(1);
    expect(secondsUntilCapacity(slidingWindow(60), startMs)).toBe(60);
  });

  it('keeps at most 61 slots for any window length', () => {
    const window = slidingWindow(3600);
    for (let at = 0; at < 7_200_000; at += 7_000) {
      addTo(window, startMs + at, 1);
      countIn(window, startMs + at);
    }
    expect(slotMilliseconds(3600)).toBe(60_000);
    expect(window.slots.size).toBeLessThanOrEqual(61);
  });
});
