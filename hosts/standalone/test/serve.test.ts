// Goal: the built program starts, responds and stops. Method: one process on an empty data folder; the files with the
// tag `full-run` test the rest of it.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStandalone } from './start-standalone.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-serve-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('pacioli serve', () => {
  it('serves an empty data folder and exits with code 0 on a signal to stop', async () => {
    const server = await startStandalone({ DATA_DIR: join(folder, 'data') });
    try {
      const anonymous = new TestClient(server.url, {});
      const person = { name: 'Ann', email: 'ann@example.org', password: 'Harbour-Lantern-42' };
      const { status, body } = await anonymous.post('/v1/auth/register', person);
      expect(status).toBe(201);
      const user = anonymous.withHeaders({ authorization: `Bearer ${body.token}` });
      expect((await user.get('/v1/status')).body.status).toBe('healthy');
      // Other users may not read the books.
      expect((await stat(join(folder, 'data', 'store', 'data'))).mode & 0o077).toBe(0);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });
});
