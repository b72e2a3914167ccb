import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findConfigFile } from './config-file.ts';
import { loadConfig } from './load-config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a file with this default export, for which a plugin is its name and configuration. */
async function fileWith(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  const plugin = `(name, value = {}) => ({ kind: 'plugin', name, value, with: (next) => plugin(name, { ...value, ...next }) })`;
  await writeFile(path, `const plugin = ${plugin};\n${text}\n`);
  return path;
}

describe('the file of a deployment (platform H-9)', () => {
  it('gives its plugins, which the switches of the environment configure further', async () => {
    const file = await fileWith('own.mjs', "export default { plugins: [plugin('billing', { trialDays: 30 })] };");
    const { plugins } = await loadConfig(file, { billing: { enabled: true } });
    expect(plugins).toEqual([expect.objectContaining({ name: 'billing', value: { trialDays: 30, enabled: true } })]);
  });

  it('is refused without plugins, and with a switch for a plugin that it does not list', async () => {
    for (const [name, text] of [
      ['none.mjs', 'export const plugins = [];'],
      ['module.mjs', "export default { plugins: [{ default: plugin('loans') }] };"],
    ] as const)
      await expect(loadConfig(await fileWith(name, text))).rejects.toThrow(
        `${name} must have "export default defineConfig({ plugins: [ … ] })"`,
      );
    const file = await fileWith('loans.mjs', "export default { plugins: [plugin('loans')] };");
    await expect(loadConfig(file, { billing: { enabled: true } })).rejects.toThrow(
      'A switch configures the plugin billing, which',
    );
  });

  it('is the one that PACIOLI_CONFIG names, or else pacioli.config.ts in the folder', async () => {
    expect(findConfigFile(folder)).toBeUndefined();
    const own = await fileWith('named.mjs', 'export default {};');
    const config = await fileWith('pacioli.config.ts', 'export default {};');
    expect(findConfigFile(folder)).toBe(config);
    expect(findConfigFile(folder, 'named.mjs')).toBe(own);
    expect(() => findConfigFile(folder, 'absent.ts')).toThrow(`PACIOLI_CONFIG names ${join(folder, 'absent.ts')}`);
  });
});
