/**
 * Goal: every command printed in the documents works as described. Method: a server is started with `npm start` on an
 * empty data folder, and the commands of the shell blocks are run against it.
 * @module-tag full-run
 */
import { type ChildProcess, execFileSync, execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, root, walkthrough } from './documents.ts';

const maxStartMs = 240_000;

const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(PACIOLI_|VITEST|NODE_OPTIONS$|DATABASE_URL$|npm_)/.test(name)),
);

describe('npm start', () => {
  let folder: string;
  let server: ChildProcess;
  let output = '';
  let port: number;

  async function start(): Promise<void> {
    output = '';
    server = spawn('npm', ['start'], {
      cwd: root,
      env: { ...environment, PORT: String(port), DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const deadline = Date.now() + maxStartMs;
    while (!/Three things to try[\s\S]*query\/cypher/.test(output)) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error(`npm start did not finish:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function stop(): Promise<void> {
    if (server.exitCode !== null || server.pid === undefined) return;
    const exited = once(server, 'exit');
    process.kill(-server.pid, 'SIGTERM'); // npm, its shell and the server are one process group.
    await exited;
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pacioli-documents-'));
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    port = (probe.address() as AddressInfo).port; // A listening TCP server has one.
    probe.close();
    await start();
  }, maxStartMs);
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const keyOf = (): string => /API key\s+(rfs[0-9a-f]{64})/.exec(output)?.[1] ?? '';

  it('prints the trial balance and both statements of the demo company', () => {
    for (const text of [
      'Trial balance, 2024 and 2025',
      'Balance sheet: Dec 31, 2025 and Dec 31, 2024',
      'Income statement',
      'Liabilities and Equity',
      'Net Income (Loss)',
    ])
      expect(output).toContain(text);
    const [, debits = '', credits = ''] = /Total\s+│\s+([\d,.]+)\s+│\s+([\d,.]+)/.exec(output) ?? [];
    expect(debits).toMatch(/^[\d,]+\.\d\d$/);
    expect(credits).toBe(debits);
    const [, assets, claims] = /^Assets\s+([\d,.]+)[\s\S]*^Liabilities and Equity\s+([\d,.]+)/m.exec(output) ?? [];
    expect(assets).toMatch(/^[\d,]+\.\d\d$/);
    expect(claims).toBe(assets);
  });

  it('prints three commands that work when they are copied', () => {
    const commands = output.split('\n').filter((line) => line.startsWith('  curl '));
    expect(commands).toHaveLength(3);
    const answers = commands.map((command) => JSON.parse(execSync(command, { encoding: 'utf8', env: environment })));
    expect(answers[0].data.entity.name).toContain('Larkspur');
    expect(answers[1].status).toBe('completed');
    expect(answers[2].data.length).toBe(5);
  });

  it('accepts events from an external system with the commands of the guide', () => {
    const Graph = /Explorer\s+\S+\/extensions\/(kg[0-9a-f]+)\//.exec(output)?.[1] ?? '';
    const env = { ...environment, URL: `http://127.0.0.1:${port}`, KEY: keyOf(), GRAPH: Graph };
    const [connection, handler, event, seen, ...more] = blocksOf(walkthrough, 'sh').map((command) =>
      JSON.parse(execSync(command, { encoding: 'utf8', env })),
    );
    expect(connection).toMatchObject({ status: 'connected', source_name: 'shopfeed' });
    expect(handler).toMatchObject({ status: 'completed', result: { match_source: 'shopfeed' } });
    expect(event).toMatchObject({ status: 'completed', result: { status: 'classified', external_id: 'po-88' } });
    expect(seen.data.eventBlocks).toContainEqual({
      source: 'shopfeed',
      externalId: 'po-88',
      status: 'classified',
      amount: 98_500,
    });
    expect(more).toEqual([]);
  });

  it('serves the explorer', async () => {
    const url = /Explorer\s+(\S+)/.exec(output)?.[1] ?? '';
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>Pacioli explorer');
  });

  it('imports a journal with the documented command, and adds nothing the second time', { timeout: 300_000 }, () => {
    const journal = join(root, 'hosts/import-beancount/src/fixtures/lots-and-prices.beancount');
    const words = [
      'run',
      '--silent',
      'pacioli',
      '--',
      'import-journal',
      journal,
      '--url',
      `http://127.0.0.1:${port}`,
      '--api-key',
      keyOf(),
      '--graph-name',
      'Books',
      '--json',
    ];
    const first = JSON.parse(execFileSync('npm', words, { cwd: root, env: environment, encoding: 'utf8' }));
    expect(first).toMatchObject({
      graph_id: expect.stringMatching(/^kg/),
      transactions: expect.any(Number),
      postings: expect.any(Number),
      skipped: expect.any(Object),
    });
    expect(first.transactions).toBeGreaterThan(0);
    const second = JSON.parse(execFileSync('npm', words, { cwd: root, env: environment, encoding: 'utf8' }));
    expect(second).toMatchObject({ graph_id: first.graph_id, transactions: 0, postings: 0 });
  });

  it('keeps the demo after a restart, and does not print its books again', {
    timeout: maxStartMs,
  }, async () => {
    const key = keyOf();
    await stop();
    await start();
    expect(keyOf()).toBe(key);
    expect(output).not.toContain('Trial balance');
  });

  it('runs the template plugin with the command of the guide', { timeout: 300_000 }, () => {
    const answer = execFileSync('npx', ['vitest', 'run', 'plugins/template'], {
      cwd: root,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(answer).toMatch(/Tests\s+.*\d+ passed/);
  });
});
