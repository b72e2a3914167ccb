/**
 * Starts the program several times, each in its own process.
 * @module-tag full-run
 */
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, runPacioli, spawnPacioli } from './start-standalone.ts';

const template = fileURLToPath(new URL('../../../plugins/template', import.meta.url));
const maxChangeMs = 120_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-dev-'));
  for (const name of ['src', 'package.json', 'pacioli.config.ts'])
    await cp(join(template, name), join(folder, name), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  for (const name of ['@pacioli', 'typebox'])
    await symlink(join(template, 'node_modules', name), join(folder, 'node_modules', name));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('serves a plugin, again after each change, and goes on after an error (platform H-7)', async () => {
  const port = await freePort();
  const environment = { PORT: String(port), DEMO: 'off', DATA_DIR: join(folder, 'data') };
  const child = spawnPacioli(['dev'], environment, folder);
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const until = async (isDone: () => boolean | Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + maxChangeMs;
    while (!(await isDone())) {
      if (Date.now() > deadline) throw new Error(`pacioli dev did nothing:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const isDescribedAs = async (summary: string): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`).catch(() => undefined);
    return answer?.status === 200 && (await answer.text()).includes(summary);
  };
  const file = join(folder, 'src/operations/watch-security.ts');
  const text = await readFile(file, 'utf8');
  try {
    await until(() => isDescribedAs('Adds a security'));
    await writeFile(file, text.replace('Adds a security', 'Puts a security'));
    await until(() => isDescribedAs('Puts a security'));
    await writeFile(file, 'export default defineOperation({');
    await until(() => output.includes('Waiting for a change'));
    await writeFile(file, text);
    await until(() => isDescribedAs('Adds a security'));
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
  expect(await isDescribedAs('security')).toBe(false);
});

it('leaves no server behind when it is killed (platform H-7)', async () => {
  const port = await freePort();
  const environment = { PORT: String(port), DEMO: 'off', DATA_DIR: join(folder, 'killed') };
  const child = spawnPacioli(['dev'], environment, folder);
  child.stdout?.resume();
  child.stderr?.resume();
  const isServing = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const until = async (isWanted: boolean): Promise<void> => {
    const deadline = Date.now() + maxChangeMs;
    while ((await isServing()) !== isWanted) {
      if (Date.now() > deadline) throw new Error(`The server ${isWanted ? 'did not start' : 'goes on'}.`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await until(true);
  child.kill('SIGKILL');
  await until(false);
});

it('prints its help where the file of the deployment cannot be loaded (platform H-9)', async () => {
  const broken = join(folder, 'broken.ts');
  await writeFile(broken, "import plugin from './nothing-such.ts';\nexport default plugin;\n");
  const environment = { PACIOLI_CONFIG: broken };
  for (const words of [['--help'], ['help'], []]) {
    const { out, err } = await runPacioli(words, environment, folder);
    expect(`${out}${err}`).toContain('import-journal');
    expect(err).toContain(`Without the commands of plugins, because ${broken} cannot be loaded: `);
  }
  const unknown = await runPacioli(['watch-report'], environment, folder);
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain('nothing-such');
});

it('reads the file of the deployment in every command (platform H-9)', async () => {
  const described = await runPacioli(['openapi'], {}, folder);
  expect(described.out).toContain('/extensions/watchlist/{graph_id}/operations/watch-security');
  // The name that published clients use, which the file does not mention.
  expect(described.out).toContain('/extensions/roboledger/{graph_id}/operations/close-period');
  const environment = { DATA_DIR: join(folder, 'other') };
  const pending = await runPacioli(['migrate', '--dry-run'], environment, folder);
  expect(pending.out).toContain('would apply watchlist/0001-watchlist.sql');
  const absent = await runPacioli(['openapi'], { PACIOLI_CONFIG: 'absent.ts' }, folder);
  expect([absent.code, absent.err]).toEqual([
    1,
    `PACIOLI_CONFIG names ${join(folder, 'absent.ts')}, which does not exist.\n`,
  ]);
});

it('serves nothing where no file says what (platform H-7)', async () => {
  const { code, err } = await runPacioli(['dev'], {}, join(folder, 'src'));
  expect([code, err]).toEqual([
    1,
    `There is no pacioli.config.ts in ${join(folder, 'src')}, which lists the plugins to serve.\n`,
  ]);
});
