/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import { tickerOf } from './ticker.ts';

describe('the default ticker of a company', () => {
  it('is made of the initials of its significant words, at most five (graphs G-24)', () => {
    expect(tickerOf('Harbour Lantern Trading Company, Inc.')).toBe('HLT');
    expect(tickerOf('Écluse SA')).toBe('ES');
    expect(tickerOf('The Lighthouse LLC')).toBe('LIGHT');
    expect(tickerOf('One Two Three Four Five Six Seven')).toBe('OTTFF');
  });

  it('falls back to ENT without usable letters', () => {
    expect(tickerOf('株式会社')).toBe('ENT');
    expect(tickerOf('The Company')).toBe('ENT');
  });
});
