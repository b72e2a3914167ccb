/**
 * Starts the program several times, each in its own process.
 * @module-tag full-run
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runPacioli, spawnPacioli } from './start-standalone.ts';

const template = fileURLToPath(new URL('../../../plugins/template', import.meta.url));
const maxChangeMs = 60_000;

let folder: string;
const fileIn = (name: string): string => join(folder, 'src', name);
const textOf = (name: string): Promise<string> => readFile(fileIn(name), 'utf8');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-gen-'));
  await cp(join(template, 'src'), join(folder, 'src'), { recursive: true });
  await cp(join(template, 'package.json'), join(folder, 'package.json'));
  await mkdir(join(folder, 'node_modules'));
  for (const name of ['@pacioli', 'typebox'])
    await symlink(join(template, 'node_modules', name), join(folder, 'node_modules', name));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('writes the list of parts and the row types of a plugin outside the workspace (platform H-6)', async () => {
  const current = [await textOf('all.gen.ts'), await textOf('rows.gen.ts')];
  await rm(fileIn('all.gen.ts'));
  await rm(fileIn('rows.gen.ts'));
  const checked = await runPacioli(['gen', '--check'], {}, folder);
  expect(checked.code).toBe(1);
  expect(checked.err).toContain('all.gen.ts is stale. Run "npm run gen".');
  expect(existsSync(fileIn('all.gen.ts'))).toBe(false);
  const { code, out } = await runPacioli(['gen'], {}, folder);
  expect([code, out.match(/^wrote /gm)?.length]).toEqual([0, 2]);
  expect([await textOf('all.gen.ts'), await textOf('rows.gen.ts')]).toEqual(current);
  expect(await runPacioli(['gen'], {}, folder)).toEqual({ code: 0, out: '', err: '' });
  expect((await runPacioli(['gen', '--check'], {}, folder)).code).toBe(0);
});

it('names a file whose part has another name, and a folder without a plugin (platform H-6)', async () => {
  await rename(fileIn('queries/watchedSecurities.ts'), fileIn('queries/securities.ts'));
  const misnamed = await runPacioli(['gen'], {}, folder);
  expect(misnamed.code).toBe(1);
  expect(misnamed.err).toMatch(
    /^\S+securities\.ts defines "watchedSecurities": the file must have the part's name\.\n$/,
  );
  const nowhere = await runPacioli(['gen'], {}, join(folder, 'src'));
  expect([nowhere.code, nowhere.err]).toEqual([
    1,
    `There is no src/plugin.ts in ${join(folder, 'src')}. Run the command in the folder of a plugin.\n`,
  ]);
});

it('names an import of a file that does not exist in one line (platform H-6)', async () => {
  await rm(fileIn('domain/normalize-ticker.ts'));
  const { code, err } = await runPacioli(['gen'], {}, folder);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^Cannot find module '\S+normalize-ticker\.ts' imported from \S+\. Correct the import, then run the command again\.\n$/,
  );
});

it('with --watch writes them after each change, also after an error (platform H-6)', async () => {
  const child = spawnPacioli(['gen', '--watch'], {}, folder);
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const until = async (isDone: () => boolean | Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + maxChangeMs;
    while (!(await isDone())) {
      if (Date.now() > deadline) throw new Error(`pacioli gen --watch did nothing:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  try {
    await until(() => output.includes('Watching src.'));
    await writeFile(fileIn('queries/broken.ts'), 'export default defineQuery(');
    await until(() => /broken\.ts/.test(output));
    await rm(fileIn('queries/broken.ts'));
    await rm(fileIn('events/security-watched.ts'));
    const operation = await textOf('operations/watch-security.ts');
    await writeFile(
      fileIn('operations/watch-security.ts'),
      operation.replace(/.*(import securityWatched|emits: |ctx\.emit).*\n/g, ''),
    );
    await until(async () => !(await textOf('all.gen.ts')).includes('securityWatchedEvent'));
    // A folder that did not exist when the watch began.
    await mkdir(fileIn('jobs'));
    const job = `import { defineJob } from '@pacioli/core';
      export default defineJob({ name: 'prune', summary: 'Prunes.', everySeconds: 60, maxSeconds: 10, handle: async () => {} });`;
    await writeFile(fileIn('jobs/prune.ts'), job.replaceAll(/^ +/gm, ''));
    await until(async () => (await textOf('all.gen.ts')).includes('jobs: [prune]'));
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
});
