import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTo, countIn, secondsUntilRoom, slidingWindow, slotMilliseconds, slotOf } from './sliding-window.ts';

const start_ms = Date.parse('2026-03-02T09:00:00Z');

describe('a sliding window', () => {
  it('counts exactly the calls whose slot is still in it, whenever it is asked (platform R-1)', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.constantFrom(60, 300, 3600), gaps, (seconds, waits) => {
        const window = slidingWindow(seconds);
        const calls: number[] = [];
        let now_ms = start_ms;
        for (const wait of waits) {
          now_ms += wait;
          const before = slotOf(window, now_ms - seconds * 1000);
          expect(countIn(window, now_ms)).toBe(calls.filter((at) => slotOf(window, at) > before).length);
          addTo(window, now_ms, 1);
          calls.push(now_ms);
        }
      }),
    );
  });

  it('names the second in which the oldest call leaves, never less than one (platform R-8)', () => {
    const window = slidingWindow(60);
    addTo(window, start_ms, 1);
    addTo(window, start_ms + 20_000, 1);
    const wait = secondsUntilRoom(window, start_ms + 30_000);
    expect(wait).toBe(30);
    expect(countIn(window, start_ms + 30_000 + wait * 1000)).toBe(1);
    expect(secondsUntilRoom(window, start_ms + 1_000_000)).toBe(1);
    expect(secondsUntilRoom(slidingWindow(60), start_ms)).toBe(60);
  });

  it('keeps at most sixty-one slots, however long the window is', () => {
    const window = slidingWindow(3600);
    for (let at = 0; at < 7_200_000; at += 7_000) {
      addTo(window, start_ms + at, 1);
      countIn(window, start_ms + at);
    }
    expect(slotMilliseconds(3600)).toBe(60_000);
    expect(window.slots.size).toBeLessThanOrEqual(61);
  });
});
