import type { Plugin } from '../../core/src/index.ts';
import { anchorOf, code, facts, linkTo, type Page, page, prose, section, table } from './markdown.ts';
import { byName } from './operations.ts';
import { fieldTable, type JsonSchema } from './schema-types.ts';

/** The page of the plugins themselves: what each needs, its configuration, its background jobs and runs. */
export function pluginsPage(plugins: readonly Plugin[]): Page {
  return page('plugins', 'Plugins', [
    'The kernel and the plugins of the standalone host.',
    '',
    ...plugins.flatMap((plugin) => [
      `## ${plugin.name}`,
      '',
      `${prose(plugin.title)}.`,
      '',
      ...facts([
        ['Depends on', plugin.dependsOn.map((name) => `[${name}](#${anchorOf(name)})`).join(', ')],
        ['Domain', plugin.domain === undefined ? undefined : code(plugin.domain)],
        [
          'Analytical nodes',
          plugin.nodes
            .map(({ name }) => code(name))
            .sort()
            .join(', '),
        ],
      ]),
      ...section('**Configuration**', fieldTable((plugin.config?.schema ?? {}) as JsonSchema)), // A JSON Schema.
      ...section(
        '**Jobs**',
        table(
          ['Job', 'When', 'What it does'],
          byName(plugin.jobs).map(({ name, summary, on, everySeconds }) => [
            code(name),
            on === undefined ? `every ${durationWords(everySeconds ?? 0)}` : `on ${linkTo('events', on.name)}`,
            prose(summary),
          ]),
        ),
      ),
      ...section(
        '**Runs**',
        table(
          ['Run', 'At most', 'What it does'],
          byName(plugin.runs).map(({ name, summary, maxSeconds }) => [
            code(name),
            durationWords(maxSeconds),
            prose(summary),
          ]),
        ),
      ),
    ]),
  ]);
}

function durationWords(seconds: number): string {
  const [number, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second'];
  return number === 1 ? unit : `${number} ${unit}s`;
}
