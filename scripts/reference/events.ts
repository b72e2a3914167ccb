import type { Plugin } from '../../core/src/index.ts';
import type { EventComments } from './declarations.ts';
import { code, facts, linkTo, type Page, page, prose, table } from './markdown.ts';
import { byName } from './operations.ts';
import { fieldTable, type JsonSchema } from './schema-types.ts';

export interface EventsPage extends Page {
  readonly problems: readonly string[];
}

/** The page of the business events that plugins publish and handle; their comments say when they happen. */
export function eventsPage(plugins: readonly Plugin[], comments: ReadonlyMap<string, EventComments>): EventsPage {
  const meaningOf = (name: string): string | undefined => comments.get(name)?.meaning;
  const withEvents = plugins.filter(({ events }) => events.length > 0);
  const lines = [
    'A plugin reacts to an event with a job: `defineJob({ on: event, … })`. An event is stored in the transaction of the',
    'change that it reports, and is delivered at least once after the commit, so a job must be idempotent.',
    '',
    ...table(
      ['Event', 'When'],
      withEvents.flatMap(({ events }) =>
        byName(events).map(({ name }) => [linkTo('', name), prose(meaningOf(name) ?? '')]),
      ),
    ),
    ...withEvents.flatMap((plugin) => [
      `## ${plugin.title}`,
      '',
      ...byName(plugin.events).flatMap(({ name, payload }) => [
        `### ${name}`,
        '',
        prose(meaningOf(name) ?? ''),
        '',
        ...facts([
          ['Declared by', plugin.name],
          ['Published by', emitters(plugins, name).join(', ')],
          ['Handled by', handlers(plugins, name).join(', ')],
        ]),
        ...fieldTable(withComments(payload as JsonSchema, comments.get(name))), // Definitions are JSON Schemas.
      ]),
    ]),
  ];
  const problems = withEvents
    .flatMap(({ events }) => events)
    .filter(({ name }) => meaningOf(name) === undefined)
    .map(({ name }) => `The event "${name}" needs a doc comment above its definition: when it happens.`);
  return { ...page('events', 'Events', lines), problems };
}

/** The schema of a payload with the comments above its fields as descriptions. */
function withComments(payload: JsonSchema, comments: EventComments | undefined): JsonSchema {
  const properties = Object.entries(payload.properties ?? {}).map(([name, field]) => {
    const description = field.description ?? comments?.fields.get(name);
    return [name, description === undefined ? field : { ...field, description }] as const;
  });
  return { ...payload, properties: Object.fromEntries(properties) };
}

/** The operations that declare the event; jobs and services publish it too, without a declaration. */
function emitters(plugins: readonly Plugin[], name: string): readonly string[] {
  return plugins
    .flatMap(({ operations }) => operations)
    .filter(({ emits = [] }) => emits.some((event) => event.name === name))
    .map((operation) => linkTo('operations', operation.name));
}

function handlers(plugins: readonly Plugin[], name: string): readonly string[] {
  return plugins.flatMap((plugin) =>
    plugin.jobs.filter(({ on }) => on?.name === name).map((job) => `[${code(job.name)}](plugins.md#${plugin.name})`),
  );
}
