import type { Plugin } from '../../core/src/index.ts';
import { switchRows } from '../../hosts/standalone/src/switch-rows.ts';
import { code, type Page, page, prose, section, table } from './markdown.ts';
import { fieldTable, type JsonSchema } from './schema-types.ts';

/** The page of the environment switches of the standalone host, and of the configuration of plugins. */
export function settingsPage(plugins: readonly Plugin[]): Page {
  const configured = plugins.filter(({ config }) => config !== undefined);
  return page('settings', 'Settings', [
    'The standalone host reads its settings from the environment, besides `HOST`, `PORT`, `DATA_DIR`, `DATABASE_URL` and',
    '`DEMO`, which the README explains. A host of your own gives those of the kernel to `assemble` as options:',
    '`assemble({ plugins, store, settings: { auth: { passkeys: false } } })`.',
    '',
    '## Environment',
    '',
    ...table(
      ['Switch', 'Option', 'Default', 'Meaning', 'Takes'],
      switchRows(plugins).map(({ name, option, standard, meaning, takes }) => [
        code(name),
        option === undefined ? '' : code(option),
        standard === '' ? '' : code(standard),
        prose(meaning),
        prose(takes),
      ]),
    ),
    '## Configuration of plugins',
    '',
    'A host sets it with `plugin.with({ … })`.',
    '',
    ...configured.flatMap(
      ({ name, config }) => section(`### ${name}`, fieldTable((config?.schema ?? {}) as JsonSchema)), // Definitions are JSON Schemas.
    ),
  ]);
}
