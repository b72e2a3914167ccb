/**
 * Starts and stops whole processes.
 * @module-tag full-run
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnPacioli, startStandalone } from './start-standalone.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-stop-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('server shutdown', () => {
  it('ends streams with a last frame, exits with code 0 and leaves an audit that can be exported (platform H-5)', {
    timeout: 300_000,
  }, async () => {
    const data = { DATA_DIR: join(folder, 'data') };
    const server = await startStandalone(data, ['serve', '--no-worker']);
    const client = new TestClient(server.url, {});
    const person = { name: 'Kim', email: 'kim@example.org', password: 'Harbour-Lantern-42' };
    const { token } = (await client.post('/v1/auth/register', person)).body;
    const user = client.withHeaders({ authorization: `Bearer ${token}` });
    const status = await user.get('/v1/status');
    // Without a worker the deployment reports itself as degraded; requests are still answered (platform H-1).
    expect(status.body).toMatchObject({ status: 'degraded', details: { checks: { store: 'ok', worker: 'failing' } } });
    const accepted = await user.post('/v1/graphs', {
      metadata: { graph_name: 'Waiting' },
      initial_entity: { name: 'W', uri: 'https://example.org/w' },
    });
    const frames: { event: string; status: unknown }[] = [];
    let stopped: Promise<number> | undefined;
    for await (const frame of user.stream(`/v1/operations/${accepted.body.operationId}/stream`)) {
      frames.push({ event: frame.event, status: frame.data.status });
      if (frame.event === 'queue_update') stopped ??= server.stop();
    }
    expect(frames.at(-1)).toEqual({ event: 'stream_end', status: 'pending' });
    expect(await stopped).toBe(0);

    const exported = spawnPacioli(['audit', '--of', 'security'], data);
    let text = '';
    exported.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    expect(await once(exported, 'exit')).toEqual([0, null]);
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event_type: string; details: object });
    expect(rows.map(({ event_type }) => event_type)).toContain('auth_success');
    expect(text).not.toContain(person.password);
    expect(text).not.toContain(token);
  });
});
