import type { Plugin } from '../../core/src/index.ts';
import { type Page, page, prose } from './markdown.ts';
import { fieldTable, type JsonSchema, modelsIn } from './schema-types.ts';

/** The page of all named models in inputs and results of operations, views and routes, and in payloads of events. */
export function modelsPage(plugins: readonly Plugin[]): Page {
  const found = new Map<string, JsonSchema>();
  for (const schema of plugins.flatMap(schemasOf)) modelsIn(schema, found);
  const names = [...found.keys()].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return page('models', 'Models', [
    'The named objects in requests and results of [operations and views](operations.md) and of [routes](routes.md), by',
    'name. Fields that are not required may be absent or, where the type says so, null.',
    '',
    ...names.flatMap((name) => {
      const model = found.get(name) ?? {};
      const meaning = model.description === undefined ? [] : [prose(model.description), ''];
      return [`## ${name}`, '', ...meaning, ...fieldTable(model)];
    }),
  ]);
}

function schemasOf({ operations, views, routes, events }: Plugin): readonly JsonSchema[] {
  const schemas = [
    ...[...operations, ...views].flatMap(({ input, output }) => [input, output]),
    ...routes.filter(({ hidden }) => hidden !== true).flatMap(({ body, answers }) => [body, ...Object.values(answers)]),
    ...events.map(({ payload }) => payload),
  ];
  return schemas.filter((schema) => schema !== undefined && schema !== null) as readonly JsonSchema[]; // All are.
}
