import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf } from './excerpts.ts';

const filler = (count: number): string => Array.from({ length: count }, () => 'filler').join(' ');
const terms = new Set(['lease', 'debt']);

describe('excerpts', () => {
  it('show up to three fragments around matches, those with the most terms first (ai-surface SR-20)', () => {
    const content = `${filler(80)} lease one ${filler(80)} debt and lease two ${filler(80)} debt three ${filler(80)} lease four ${filler(80)}`;
    const fragments = excerptOf(content, terms).split(' ... ');
    expect(fragments).toHaveLength(3);
    expect(fragments[0]).toContain('debt and lease two');
    expect(fragments[1]).toContain('lease one');
    expect(fragments[2]).toContain('debt three');
    for (const fragment of fragments) {
      expect(fragment.length).toBeLessThanOrEqual(200);
      expect(content).toContain(fragment);
      expect(fragment).toMatch(/^\w+ .* \w+$/);
    }
  });

  it('show the beginning of a text without a match (ai-surface SR-20)', () => {
    const text = excerptOf(filler(100), terms);
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text.length).toBeGreaterThan(280);
    expect(excerptOf('short', terms)).toBe('short');
  });

  it('use the given number of characters, also for a single fragment (ai-surface SR-20)', () => {
    const content = `${filler(400)} lease ${filler(400)}`;
    const text = excerptOf(content, terms, 1_000);
    expect(text).toContain('lease');
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text.length).toBeGreaterThan(950);
    expect(excerptOf('all of it: lease', terms, 80)).toBe('all of it: lease');
  });

  it('never exceed their number of characters, or halve one, whatever the text', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom(' lease ', ' debt ', '😀', filler(50), 'x'.repeat(400)));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 80, max: 4_000 }), (pieces, most) => {
        const content = pieces.join('').replace(/[\ud800-\udfff]/g, '') + '😀'.repeat(60);
        expect(excerptOf(content, terms, most).length).toBeLessThanOrEqual(most);
        expect(excerptOf(content, terms).length).toBeLessThanOrEqual(610);
        expect(Buffer.from(excerptOf(content, terms, most)).toString()).toBe(excerptOf(content, terms, most));
      }),
    );
  });
});
