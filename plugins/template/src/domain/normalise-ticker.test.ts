import { expect, it } from 'vitest';
import { normaliseTicker } from './normalise-ticker.ts';

it('writes a ticker in upper case without spaces around it', () => {
  expect(normaliseTicker(' brk.b ')).toBe('BRK.B');
});

it('refuses what is no ticker', () => {
  expect(normaliseTicker('')).toBeUndefined();
  expect(normaliseTicker('.B')).toBeUndefined();
  expect(normaliseTicker('TWO WORDS')).toBeUndefined();
});
