import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environmentWithoutSettings, startPostgresServer } from '@pacioli/testing';
import { serviceEnvironment, serviceFlags } from '../scripts/service-process.mjs';
import type { Figure } from './measure.ts';

const main = fileURLToPath(new URL('../hosts/standalone/dist/main.js', import.meta.url));
const port = 18_433;
const restMs = 60_000;

/** S12: resident memory of `standalone` after a minute without calls, compared with only opening the engines. */
export async function memoryAtRest(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-memory-'));
  const server = await startPostgresServer();
  try {
    const store = join(folder, 'embedded');
    const first = await atRest({ DATA_DIR: store });
    const existing = await atRest({ DATA_DIR: store });
    const embedded = await residentOf(openEmbedded, join(store, 'store', 'data'));
    const given = { DATA_DIR: join(folder, 'server'), DATABASE_URL: server.url };
    const firstOnServer = await atRest(given);
    const onServer = await atRest(given);
    const bare = await residentOf(openServer, server.url);
    return [
      row('memory, embedded, first start', '≤ 300 MB', first, embedded),
      row('memory, embedded, existing data', '≤ 300 MB', existing, embedded),
      row('memory, PostgreSQL, first start', '≤ 120 MB', firstOnServer, bare),
      row('memory, PostgreSQL, existing data', '≤ 120 MB', onServer, bare),
    ];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function row(name: string, goal: string, ours: number, bare: number): Figure {
  return { name, unit: 'MB', kind: 'time', goal, ours: ours / 2 ** 20, bare: bare / 2 ** 20 };
}

/** Starts the service like `npm start`, with the demo company, and measures it and its children after the wait. */
async function atRest(environment: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(process.execPath, [...serviceFlags, main, 'serve'], {
    env: {
      ...serviceEnvironment,
      ...environmentWithoutSettings(),
      PORT: String(port),
      PACIOLI_JWT_SECRET: 'a secret for benchmarks: 0123456789',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return measured(child, 'API key ');
}

async function residentOf(script: string, argument: string): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, argument], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return measured(child, 'open');
}

async function measured(child: ChildProcess, sign: string): Promise<number> {
  const exited = once(child, 'exit');
  try {
    await untilPrinted(child, sign);
    await wait(restMs);
    return treeOf(child.pid ?? 0).reduce((sum, pid) => sum + residentBytes(pid), 0);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/** Keeps reading, so that a full pipe never blocks the program. */
async function untilPrinted(child: ChildProcess, sign: string): Promise<void> {
  if (child.stdout === null) throw new Error('The program was started without a pipe.');
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.startsWith(sign)) resolve();
    });
    child.once('exit', () => reject(new Error(`The program ended before it printed "${sign}".`)));
  });
}

/** The ids of a process and its descendants. */
function treeOf(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) throw new Error('Resident memory is measured on Linux only.');
  const children = readdirSync(tasks).flatMap((task) =>
    readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

const openEmbedded = `
  await import('koa');
  await import('@ladybugdb/core');
  const { PGlite } = await import('@electric-sql/pglite');
  globalThis.db = await PGlite.create(process.argv[1]);
  await db.query('SELECT 1');
  console.log('open');
  setInterval(() => undefined, 1_000_000);`;

const openServer = `
  await import('koa');
  await import('@ladybugdb/core');
  const { default: pg } = await import('pg');
  globalThis.pool = new pg.Pool({ connectionString: process.argv[1] });
  await pool.query('SELECT 1');
  console.log('open');
  setInterval(() => undefined, 1_000_000);`;
