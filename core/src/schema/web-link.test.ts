import { describe, expect, it } from 'vitest';
import { isWebLink } from './web-link.ts';

describe('isWebLink', () => {
  it('accepts letters beyond ASCII however often it is asked', () => {
    const link = 'https://bücher.example/ä?q=1';
    // More calls than the engine needs to compile the function.
    const answers = Array.from({ length: 20_000 }, () => isWebLink(link));
    expect(answers.every((answer) => answer)).toBe(true);
  });
});
