import { expect, it } from 'vitest';
import { normalizeTicker } from './normalize-ticker.ts';

it('normalizes a ticker to upper case without surrounding spaces', () => {
  expect(normalizeTicker(' brk.b ')).toBe('BRK.B');
});

it('rejects an invalid ticker', () => {
  expect(normalizeTicker('')).toBeUndefined();
  expect(normalizeTicker('.B')).toBeUndefined();
  expect(normalizeTicker('TWO WORDS')).toBeUndefined();
});
