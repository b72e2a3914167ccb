import { describe, expect, it } from 'vitest';
import { lazyFields } from './lazy-fields.ts';

describe('lazyFields', () => {
  it('reads a field once, and only when it is used', async () => {
    const reads: string[] = [];
    const count = (name: string, value: number) => async () => {
      reads.push(name);
      return value;
    };
    const answer = lazyFields({ limit: 50 }, { total: count('total', 7), voided: count('voided', 1) });
    expect([answer.limit, reads]).toEqual([50, []]);
    expect([await answer.total, await answer.total]).toEqual([7, 7]);
    expect(reads).toEqual(['total']);
  });

  it('passes the failure of a read to everyone who uses the field', async () => {
    const answer = lazyFields({}, { total: () => Promise.reject(new Error('no such table')) });
    await expect(answer.total).rejects.toThrow('no such table');
    await expect(answer.total).rejects.toThrow('no such table');
  });
});
