import { describe, expect, it } from 'vitest';
import { rejectsText } from './load-rejects.ts';

describe('rejectsText', () => {
  it('says how many rows have which fault, with the first of each (graphs M-24)', () => {
    expect(
      rejectsText([
        { reason: 'cast', count: 1, examples: ['a'] },
        { reason: 'dangling', count: 2, examples: ['a -> b', 'a -> c'] },
        { reason: 'null_key', count: 3, examples: [] },
      ]),
    ).toBe(
      '1 row has a value of another type (first: a), 2 rows have a reference to a node that does not exist (first: a -> b), ' +
        '3 rows have no key',
    );
  });
});
