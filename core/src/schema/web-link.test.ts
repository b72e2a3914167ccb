import { describe, expect, it } from 'vitest';
import { isWebLink } from './web-link.ts';

describe('isWebLink', () => {
  it('accepts non-ASCII letters even after many calls', () => {
    const link = 'https://bücher.example/ä?q=1';
    // Enough calls for V8 to compile the function.
    const answers = Array.from({ length: 20_000 }, () => isWebLink(link));
    expect(answers.every((answer) => answer)).toBe(true);
  });
});
