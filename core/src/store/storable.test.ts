import { describe, expect, it } from 'vitest';
import { isStorable, storableJson, storableText } from './storable.ts';

describe('what a run stores', () => {
  it.each([
    ['a\0b', 'a\\u0000b'],
    ['\0\0', '\\u0000\\u0000'],
    ['\\u0000 \u{1F6A2} \u0001', '\\u0000 \u{1F6A2} \u0001'],
  ])('shows U+0000 as its escape (platform L-15): %j', (text, shown) => {
    expect(storableText(text)).toBe(shown);
    expect(JSON.parse(storableJson({ text: [text] }))).toEqual({ text: [shown] });
  });

  it('shows U+0000 in names and unpaired surrogates, and keeps all other escapes (platform L-15)', () => {
    const kept = '\\ \\u0000 \\\\ " \n \u0001 \u{1F6A2}';
    expect(JSON.parse(storableJson({ 'k\0a': '\\\0', low: '\udfff', high: '\ud800x', kept }))).toEqual({
      'k\\u0000a': '\\\\u0000',
      low: '\\udfff',
      high: '\\ud800x',
      kept,
    });
  });
});

describe('isStorable', () => {
  it.each(['a\0b', '\ud800', 'a\udfff', { 'k\0': 1 }, { a: [{ b: '\ud83d' }] }, [[{ '\udc00': null }]]])(
    'is false for U+0000 and unpaired surrogates at any depth: %j',
    (value) => {
      expect(isStorable(value)).toBe(false);
    },
  );

  it.each(['', '\\u0000 \\ud800', '\u{1F6A2}\u0001', { a: [{ '\u{1F6A2}': '\\\\u0000' }, null, 1.5, false] }])(
    'is true for everything else: %j',
    (value) => {
      expect(isStorable(value)).toBe(true);
    },
  );
});
