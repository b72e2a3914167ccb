/**
 * Starts the program more than a dozen times, each in its own process.
 * @module-tag full-run
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPacioli as run, startStandalone } from './start-standalone.ts';

const secret = 'a secret of these tests, long enough to be one';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-start-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('pacioli', () => {
  it('prints help for itself and each of its commands', async () => {
    const { out, code } = await run(['--help']);
    expect(code).toBe(0);
    for (const command of [
      'serve',
      'work',
      'migrate',
      'import-journal',
      'ledger-verify',
      'demo',
      'openapi',
      'sdl',
      'conformance',
    ])
      expect(out).toContain(command);
    expect((await run(['serve', '--help'])).out).toContain('DATA_DIR');
    expect((await run(['import-journal', '--help'])).out).toContain('--graph-name');
  });

  it('reports an invalid setting in one line that says what to do', { timeout: 300_000 }, async () => {
    const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      // One mistake for each step of the start: src/settings.test.ts covers those found while reading the settings.
      [{ PACIOLI_NO_SUCH_SWITCH: '1' }, /^PACIOLI_NO_SUCH_SWITCH is not a switch/],
      // The benchmarks read the first variable, so the second one is the reported mistake.
      [{ PACIOLI_BENCH_FORMANCE: '/opt/ledger', PACIOLI_ORGS_MAX_GRAPHS: 'few' }, /^PACIOLI_ORGS_MAX_GRAPHS must be/],
      [{ PACIOLI_AUDIT_RETENTION_DAYS: '-1' }, /^The setting audit\.retentionDays must be at least 1/],
      [{ HOST: 'no-such-host.invalid' }, /^"no-such-host.invalid" is not an address of this machine/],
      [{ DATA_DIR: '/proc/pacioli' }, /^The data folder \/proc\/pacioli cannot be created/],
      [{ PACIOLI_JWT_SECRET: 'short' }, /^PACIOLI_JWT_SECRET is shorter than 32 bytes/],
      [{ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', PACIOLI_JWT_SECRET: secret }, /database/i],
    ];
    for (const [environment, message] of cases) {
      const { code, err } = await run(['serve'], {
        DATA_DIR: join(folder, 'mistakes'),
        DEMO: 'off',
        PORT: '0',
        ...environment,
      });
      expect(code).toBe(1);
      expect(err.trim()).toMatch(message);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
  });

  it('reports a port in use before it creates a database, and a data folder that cannot be created', {
    timeout: 300_000,
  }, async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo; // A listening TCP server has one.
    const busy = await run(['serve'], { PORT: String(port), DATA_DIR: join(folder, 'port') });
    taken.close();
    expect(busy).toMatchObject({ code: 1 });
    expect(busy.err).toBe(
      `Port ${port} on 127.0.0.1 is already in use. Choose another one, for example with PORT=${port + 1} in front of the command.\n`,
    );
    // A start on the wrong port must not create a database in an unintended folder.
    expect(existsSync(join(folder, 'port'))).toBe(false);
    await writeFile(join(folder, 'a-file'), '');
    const blocked = await run(['serve'], { DATA_DIR: join(folder, 'a-file', 'below'), PORT: '0' });
    expect(blocked.err).toContain('cannot be created or written');
  });

  /** Of two tests, because creating a database takes seconds. */
  const dataFolder = () => join(folder, 'data');

  it('rejects a data folder in use with exit code 2, and names the process that uses it (platform H-4a)', async () => {
    const first = await startStandalone({ DATA_DIR: dataFolder() });
    try {
      const second = await run(['serve'], { DATA_DIR: dataFolder(), PORT: '0' });
      expect(second.code).toBe(2);
      expect(second.err).toContain(String(first.child.pid));
    } finally {
      expect(await first.stop()).toBe(0);
    }
  });

  it('keeps its data after a restart', async () => {
    const first = await startStandalone({ DATA_DIR: dataFolder() });
    const person = { name: 'Rae', email: 'rae@example.org', password: 'Harbour-Lantern-42' };
    const post = (url: string, path: string, body: object) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post(first.url, '/v1/auth/register', person)).status).toBe(201);
    expect(await first.stop()).toBe(0);
    const second = await startStandalone({ DATA_DIR: dataFolder() });
    expect((await post(second.url, '/v1/auth/login', person)).status).toBe(200);
    await second.stop();
  });

  it('lists its switches with default, meaning, values and unit, and accepts each of them', {
    timeout: 300_000,
  }, async () => {
    const { out, code } = await run(['switches']);
    expect(code).toBe(0);
    const names = [...out.matchAll(/PACIOLI_[A-Z_]+/g)].map(([name]) => name);
    for (const name of [
      'PACIOLI_RATE_LIMITS_PROFILE',
      'PACIOLI_ORGS_INVITATIONS',
      'PACIOLI_JWT_SECRET',
      'PACIOLI_SSE_MAX_PER_USER',
    ])
      expect(names).toContain(name);
    expect(out).toMatch(/PACIOLI_IDEMPOTENCY_TTL_HOURS\s+│ 24/);
    // A switch may span several rows: the lines of its text follow below its name.
    const rows = out.split(/^├.*$/m).map((row) => {
      const lines = row.split('\n').flatMap((line) => /^│ (.*?) +│ (.*?) +│ (.*?) +│$/.exec(line)?.[3] ?? []);
      return { name: /PACIOLI_[A-Z_]+/.exec(row)?.[0], text: lines.join(' ').trim() };
    });
    for (const name of names)
      expect(rows).toContainEqual({ name, text: expect.stringMatching(/^[A-Z].{15,}\. Takes \S.*\.$/) });
    expect(rows.find(({ name }) => name === 'PACIOLI_IDEMPOTENCY_TTL_HOURS')?.text).toContain('a number: hours');
    expect(rows.find(({ name }) => name === 'PACIOLI_EMAIL_VERIFICATION')?.text).toContain(
      'Takes auto, on, off (true and false stand for on and off).',
    );
    const { err } = await run(['serve'], { PACIOLI_NO_SUCH_SWITCH: '1', DATA_DIR: join(folder, 'mistakes') });
    for (const name of names) expect(err).toContain(name);
  });

  it('prints its documents without a database', async () => {
    const { out } = await run(['openapi']);
    expect(JSON.parse(out).paths).toHaveProperty('/extensions/roboledger/{graph_id}/operations/create-event-block');
    expect((await run(['sdl'])).out).toContain('type Query');
  });
});
