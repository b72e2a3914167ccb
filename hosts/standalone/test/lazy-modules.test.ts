/**
 * Starts the program several times, each in its own process.
 * @module-tag full-run
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStandalone } from './start-standalone.ts';

/** Packages that only some requests or settings need; each costs megabytes and tens of milliseconds. */
const onDemand = [
  'stripe',
  'nodemailer',
  '@simplewebauthn/server',
  '@zxcvbn-ts/language-common',
  'cli-table3',
  'graphql',
  'graphql-compose',
  'temporal-polyfill',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
];

describe('modules loaded at start', () => {
  let folder: string;
  let loaded: readonly string[];

  beforeAll(async () => {
    // Goal: an idle process has loaded only the modules it needs. Method: the program is started with a loader that
    // records every ES and CommonJS module; its file is read when the service responds.
    folder = await mkdtemp(join(tmpdir(), 'pacioli-modules-'));
    const list = join(folder, 'modules.txt');
    await writeFile(list, '');
    const hooks = join(folder, 'hooks.mjs');
    await writeFile(
      hooks,
      `import { appendFileSync } from 'node:fs';
      export async function resolve(name, context, next) {
        const found = await next(name, context);
        appendFileSync(${JSON.stringify(list)}, found.url + '\\n');
        return found;
      }`,
    );
    const register = join(folder, 'register.mjs');
    await writeFile(
      register,
      `import { appendFileSync } from 'node:fs';
      import module from 'node:module';
      module.register(${JSON.stringify(pathToFileURL(hooks).href)});
      const load = module._load;
      module._load = function (name, parent, isMain) {
        appendFileSync(${JSON.stringify(list)}, module._resolveFilename(name, parent, isMain) + '\\n');
        return load.call(this, name, parent, isMain);
      };`,
    );
    const server = await startStandalone({
      DATA_DIR: join(folder, 'data'),
      NODE_OPTIONS: `--import ${pathToFileURL(register).href}`,
    });
    await server.stop();
    loaded = (await readFile(list, 'utf8')).split('\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(onDemand)('do not include %s', (name) => {
    expect(loaded.filter((url) => url.includes(`/node_modules/${name}/`))).toEqual([]);
  });

  it('do not include commands that are not run', () => {
    const files = loaded.flatMap((url) => /standalone\/dist\/commands\/([a-z-]+)\.js/.exec(url)?.[1] ?? []);
    expect(new Set(files)).toEqual(new Set(['serve']));
  });

  it('include all of the store before the kernel and the plugins, which load while its engine opens', () => {
    const rest = loaded.findIndex((url) => /\/core\/dist\/(index|assembly)|\/plugins\/\w+\/dist\//.test(url));
    const later = new Set(loaded.slice(rest));
    const store = new Set(loaded.slice(0, rest).filter((url) => url.includes('/store-postgres/dist/')));
    expect([...store].join('\n')).toContain('/store-over-pool.js');
    // The engine's thread and process start from their own files.
    const late = [...later].filter(
      (url) => url.includes('/store-postgres/dist/') && url.endsWith('.js') && !store.has(url),
    );
    expect(late).toEqual([]);
  });

  it('include the ES and CommonJS modules that every request needs', () => {
    for (const name of ['kysely', 'ajv']) expect(loaded.join('\n')).toContain(`/node_modules/${name}/`);
  });
});
