import { expect, it } from 'vitest';
import { normaliseTicker } from './normalise-ticker.ts';

it('normalizes a ticker to upper case without surrounding spaces', () => {
  expect(normaliseTicker(' brk.b ')).toBe('BRK.B');
});

it('rejects an invalid ticker', () => {
  expect(normaliseTicker('')).toBeUndefined();
  expect(normaliseTicker('.B')).toBeUndefined();
  expect(normaliseTicker('TWO WORDS')).toBeUndefined();
});
