import { describe, expect, it } from 'vitest';
import { bareComments } from './rules-comments.ts';

const names = ['ships', 'ports'];

describe('bareComments', () => {
  it.each([
    ['a.ts', '/** L-70 */', [1]],
    ['a.ts', 'const a = 1;\n// (ships L-70, ports 4.2)', [2]],
    ['a.ts', 'const a = 1; // Ships L-70.', [1]],
    ['a.ts', '// See rules L-1 to L-9\n// of ships section 3.', [1]],
    ['a.ts', '/**\n * According to ports L-9.\n */', [1]],
    ['a.sql', 'a int, -- Ships L-70', [1]],
    ['a.yaml', 'a: 1 # ships L-70', [1]],
  ])('finds in %s a comment that is only a citation: %s', (path, text, lines) => {
    expect(bareComments(path, text, names)).toEqual(lines);
  });

  it.each([
    ['a.ts', '/** Rounds half up (ships L-70). */'],
    ['a.ts', '// Two of one name are no mistake\n// (ships L-70)'],
    ['a.ts', '// No citation at all: 12.'],
    ['a.ts', "it('answers (ships L-70)', test);"],
    ['a.md', '# L-70'],
  ])('ignores in %s a comment with a reason, or other text: %s', (path, text) => {
    expect(bareComments(path, text, names)).toEqual([]);
  });
});
