import { describe, expect, it } from 'vitest';
import { oneLine } from './one-line.ts';

describe('a text in a line for a terminal', () => {
  it('has no line breaks and no control characters', () => {
    expect(oneLine(' a\r\nb\u001b[31m\u0000c\u009b ')).toBe('a b [31m c');
  });

  it('has no controls of the writing direction', () => {
    expect(oneLine('a\u202eb\u2066c\u2069\u200f')).toBe('abc');
  });
});
