/**
 * Starts a PostgreSQL server and another program.
 * @module-tag full-run
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { peer } from '../peer.ts';

/** Goal: the benchmark calls the peer according to its published API. The peer itself is not installed here. */
const double = fileURLToPath(new URL('./formance-double.mjs', import.meta.url));
const short = { seconds: 0.2, rounds: 1 };

interface Note {
  readonly path: string;
  readonly status: number;
  readonly key?: string;
  readonly body: string;
  readonly flags: Readonly<Record<string, string>>;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-peer-'));
  vi.stubEnv('PEER_NOTES', join(folder, 'notes.jsonl'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function notes(): Promise<readonly Note[]> {
  const text = await readFile(join(folder, 'notes.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Note);
}

describe('benchmark peer', () => {
  it('names the variable to set, and runs nothing', async () => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect(await peer('')).toEqual([]);
    expect(said.mock.calls).toEqual([[expect.stringContaining('set PACIOLI_BENCH_FORMANCE to the path')]]);
    said.mockRestore();
  });

  it('posts to both services from one and from sixteen callers', { timeout: 240_000 }, async () => {
    const figures = await peer(double, short);
    expect(figures).toMatchObject([
      { name: 'peer, 1 caller', unit: 'posts/s', beside: 'Formance' },
      { name: 'peer, 16 callers', unit: 'posts/s', beside: 'Formance' },
    ]);
    for (const { ours, bare } of figures) expect(Math.min(ours, bare)).toBeGreaterThan(0);

    const made = (await notes()).filter(({ path }) => path !== '/_healthcheck');
    const [ledger, ...posts] = made;
    expect(ledger).toMatchObject({ path: '/v2/books', status: 204 });
    expect(new Set(posts.map(({ path, status }) => `${path} ${status}`))).toEqual(
      new Set(['/v2/books/transactions 200']),
    );
    expect(new Set(posts.map(({ key }) => key)).size).toBe(posts.length);
    const [first] = posts;
    const { postings } = JSON.parse(first?.body ?? '');
    expect(postings.map(({ amount }: { amount: number }) => amount)).toEqual([10_700, 10_000, 700]);
    // A separate database on the server that our service uses too, with as many sessions.
    expect(ledger?.flags).toMatchObject({
      'postgres-uri': expect.stringMatching(/127\.0\.0\.1:\d+\/peer\?sslmode=disable$/),
      'postgres-max-open-conns': '16',
    });
  });

  it('fails with the output of the peer when it does not start', { timeout: 300_000 }, async () => {
    await expect(peer(process.execPath, short)).rejects.toThrow(/did not start\. It said: [\s\S]*serve/);
  });
});
