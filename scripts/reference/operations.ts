import { textOfGiven } from '../../core/src/define/example.ts';
import type { Operation, View } from '../../core/src/index.ts';
import { declaredErrors } from './errors.ts';
import { block, code, facts, linkTo, type Page, page, prose, section, table } from './markdown.ts';
import type { ReferenceSet } from './reference-set.ts';
import { fieldTable, type JsonSchema, typeWords } from './schema-types.ts';

/** The page of all operations and views: how to call each, and what it answers. */
export function operationsPage({ plugins, paths }: ReferenceSet): Page {
  const withParts = plugins.filter(({ operations, views }) => operations.length + views.length > 0);
  return page('operations', 'Operations and views', [
    'An operation is a named write: `POST` with a JSON body, answered by an envelope whose `result` is the model below.',
    'A view is a named read at the same kind of path. Every operation takes the header `Idempotency-Key`, and answers',
    'the [errors of every request](errors.md#errors-of-every-request) besides its own.',
    '',
    ...table(
      ['Name', 'Plugin', 'What it does'],
      withParts.flatMap((plugin) =>
        byName([...plugin.operations, ...plugin.views]).map((part) => [
          linkTo('', part.name),
          plugin.name,
          prose(part.summary),
        ]),
      ),
    ),
    ...withParts.flatMap((plugin) => [
      `## ${plugin.title}`,
      '',
      ...byName([...plugin.operations, ...plugin.views]).flatMap((part) => callable(part, paths)),
    ]),
  ]);
}

export function byName<T extends { readonly name: string }>(parts: readonly T[]): readonly T[] {
  return [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toolOf({ name, mcp }: Operation | View): string | undefined {
  if (mcp === undefined) return undefined;
  return 'held' in mcp ? `none: ${prose(mcp.held)}` : `${code(mcp.tool ?? name)}: ${prose(mcp.hint)}`;
}

function callable(part: Operation | View, paths: ReadonlyMap<string, string>): readonly string[] {
  const operation = part.kind === 'operation' ? part : undefined;
  const input = part.input as JsonSchema; // Definitions are JSON Schemas.
  const output = part.output as JsonSchema;
  return [
    `### ${part.name}`,
    '',
    prose(part.summary),
    '',
    ...block('http', `POST ${paths.get(part.name) ?? operation?.path?.slice('POST '.length) ?? ''}`),
    ...facts([
      ['Role', `${part.role}${part.kind === 'view' ? '; a view never writes' : ''}`],
      ['Runs', operation?.runs === 'worker' ? `in a worker, for at most ${operation.maxSeconds} seconds` : undefined],
      ['Effect', operation?.effect === 'destructive' ? 'destructive' : undefined],
      ['Rate limit', part.category === undefined ? undefined : `[${code(part.category)}](rate-limits.md)`],
      ['Tool', toolOf(part)],
      ['Publishes', (operation?.emits ?? []).map(({ name }) => linkTo('events', name)).join(', ')],
      ['Result', part.untypedResult === true ? 'an object' : typeWords(output)],
    ]),
    ...section(input.title === undefined ? '**Input**' : `**Input** ${code(input.title)}`, fieldTable(input)),
    ...section(
      '**Errors**',
      table(
        ['Status', 'Code', 'When'],
        declaredErrors(part).map(({ status, code: name, meaning }) => [
          `${status}`,
          linkTo('errors', name),
          prose(meaning),
        ]),
      ),
    ),
    ...exampleOf(part),
  ];
}

function exampleOf(part: Operation | View): readonly string[] {
  const example = part.examples?.find(({ fails }) => fails === undefined);
  if (example === undefined) return [];
  const needs = textOfGiven(example.given);
  const given = needs === undefined ? '**Example**' : `**Example**, given: ${prose(needs)}`;
  return [given, '', ...block('json', JSON.stringify(example.input, null, 2))];
}
