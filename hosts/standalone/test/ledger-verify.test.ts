/**
 * Starts the program several times, each in its own process.
 * @module-tag full-run
 */
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnPacioli, startStandalone } from './start-standalone.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-verify-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function verify(graph: string, dataDir = folder): Promise<{ code: number; out: string; err: string }> {
  const child = spawnPacioli(['ledger-verify', graph], { DATA_DIR: dataDir });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const [code] = await once(child, 'exit');
  return { code: Number(code), out, err };
}

describe('pacioli ledger-verify', () => {
  it('seals the log of a graph, verifies its books and prints the end of the chain (ledger L-198, L-214)', {
    timeout: 300_000,
  }, async () => {
    const server = await startStandalone({ DATA_DIR: folder });
    const anonymous = new TestClient(server.url, {});
    const answer = await anonymous.post('/v1/auth/register', {
      name: 'Ann',
      email: 'ann@example.org',
      password: 'Harbour-Lantern-42',
    });
    const user = anonymous.withHeaders({ authorization: `Bearer ${answer.body.token}` });
    const graph = await user.createGraph('Books', ['roboledger']);
    const made = await user.post(`/extensions/ledger/${graph}/operations/create-event-block`, {
      event_type: 'inquiry_received',
      event_category: 'other',
      occurred_at: '2026-03-31T12:00:00Z',
      source: 'manual',
    });
    expect([made.status, made.body.detail]).toEqual([200, undefined]);
    await server.stop();
    const verified = await verify(graph);
    expect([verified.code, verified.err]).toEqual([0, '']);
    expect(verified.out).toMatch(
      /^The books of kg\w+ satisfy all rules\.\nThe log has \d+ rows; the hash of the last one is [0-9a-f]{64}\.\n$/,
    );
    expect(await verify('kg0')).toMatchObject({ code: 1, err: expect.stringContaining("There is no graph 'kg0'.") });
    // It signs nothing, so it needs no secret and creates none.
    await expect(access(join(folder, 'jwt-secret'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('creates no store where none exists', { timeout: 300_000 }, async () => {
    const mistyped = join(folder, 'mistyped');
    expect(await verify('kg0', mistyped)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`There is no store at ${join(mistyped, 'store')}.`),
    });
    await expect(access(mistyped)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
