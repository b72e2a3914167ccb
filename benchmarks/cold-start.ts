import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentWithoutSettings } from '@pacioli/testing';
import { type Figure, inTurns } from './measure.ts';

const main = fileURLToPath(new URL('../hosts/standalone/dist/main.js', import.meta.url));
const port = 18_432;

/** S8: start of `standalone` on existing data until its first 200, compared with only opening the engines. */
export async function coldStart(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-cold-'));
  try {
    await untilFirst200(folder); // Creates the data.
    const times = await inTurns(
      5,
      () => untilFirst200(folder),
      () => bareOpen(folder),
    );
    return [{ name: 'cold-start, existing data', unit: 'ms', kind: 'time', goal: '≤ 2.5 ×', ...times }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function untilFirst200(folder: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...environmentWithoutSettings(), DATA_DIR: folder, PORT: String(port), DEMO: 'off' },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  try {
    for (;;) {
      const status = await fetch(`http://127.0.0.1:${port}/v1/status`).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return performance.now() - started;
      if (child.exitCode !== null) throw new Error('The server did not start.');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function bareOpen(folder: string): Promise<number> {
  const script = `
    const { PGlite } = await import('@electric-sql/pglite');
    const { Database, Connection } = await import('@ladybugdb/core');
    await import('koa');
    const db = await PGlite.create(process.argv[1]);
    await db.query('SELECT 1');
    const graph = new Database(':memory:', 64 * 2 ** 20, true, false, 2 ** 30);
    const result = await new Connection(graph).query('RETURN 1');
    result.close();
    process.stdout.write('open');
    // Closed like our own process, so that neither side has to recover a database when it reopens it.
    await db.close();
    process.exit(0);`;
  const started = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, join(folder, 'store', 'data')], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const opened = once(child.stdout, 'data').then(() => performance.now() - started);
  const [code] = await exited;
  if (code !== 0) throw new Error('The bare engines could not be opened.');
  return opened;
}
