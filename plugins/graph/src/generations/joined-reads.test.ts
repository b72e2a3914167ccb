import { describe, expect, it } from 'vitest';
import { JoinedReads } from './joined-reads.ts';

interface Begun {
  readonly key: string;
  end(value: number): void;
  fail(error: Error): void;
}

function reads() {
  const begun: Begun[] = [];
  const joined = new JoinedReads<number>(
    (key) => new Promise((resolve, reject) => begun.push({ key, end: resolve, fail: reject })),
  );
  return { begun, joined };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('JoinedReads', () => {
  it('gives a caller the result of a read that began after its call, shared with the others', async () => {
    const { begun, joined } = reads();
    const first = joined.read('a');
    const later = [joined.read('a'), joined.read('a')];
    expect(begun).toHaveLength(1);
    begun[0]?.end(1);
    expect(await first).toBe(1);
    await turn();
    expect(begun).toHaveLength(2);
    const last = joined.read('a');
    begun[1]?.end(2);
    expect(await Promise.all(later)).toEqual([2, 2]);
    await turn();
    begun[2]?.end(3);
    expect(await last).toBe(3);
  });

  it('reads each key by itself, and again after a read has ended', async () => {
    const { begun, joined } = reads();
    const both = [joined.read('a'), joined.read('b')];
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
    for (const [value, read] of begun.entries()) read.end(value);
    expect(await Promise.all(both)).toEqual([0, 1]);
    await turn();
    void joined.read('a');
    expect(begun).toHaveLength(3);
  });

  it('reads again for those who waited when a read fails', async () => {
    const { begun, joined } = reads();
    const first = joined.read('a');
    const second = joined.read('a');
    begun[0]?.fail(new Error('no connection'));
    await expect(first).rejects.toThrow('no connection');
    await turn();
    begun[1]?.end(2);
    expect(await second).toBe(2);
  });
});
