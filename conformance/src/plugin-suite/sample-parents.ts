import { definePlugin, defineQuery, model, type Plugin, type Schema } from '@pacioli/core';
import { Type } from 'typebox';
import { isObject, type JsonObject, objectOf, textsOf } from '../json.ts';
import { sampleBody } from '../sample-body.ts';
import type { PluginSet } from './plugin-set.ts';
import { sampleQuery } from './query-texts.ts';

/**
 * A plugin with a query for each type that the tested plugin extends. It answers with a sample object whose texts, such
 * as its id, are the argument, so that fields are read on parents with ids of any graph.
 */
export function samplesOf({ plugin, others }: PluginSet): Plugin {
  const schemas = new Map<string, JsonObject>();
  for (const { queries, fields } of [plugin, ...others])
    for (const { returns } of [...queries, ...fields]) addTitled(returns, schemas);
  const types = [...new Set(plugin.fields.map(({ on }) => on))];
  return definePlugin({
    name: 'conformance-samples',
    title: 'Sample parents',
    version: '1.0.0',
    kernel: '*',
    dependsOn: [plugin.name],
    queries: types.map((type) => {
      const parents = plugin.fields.filter(({ on }) => on === type).map(({ parent }) => objectOf(parent.properties));
      const properties = Object.assign({}, ...parents) as JsonObject; // A type has one schema for each of its fields.
      return defineQuery({
        name: sampleQuery(type),
        summary: 'Returns a sample object.',
        args: model(`${type}SampleArgs`, { text: Type.String() }),
        returns: Type.Unsafe<JsonObject>(schemas.get(type) as Schema), // Assembly found the type in the set.
        resolve: async ({ args }) =>
          Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, args.text)])),
      });
    }),
  });
}

/** Collects the titled objects of a schema. */
function addTitled(schema: unknown, known: Map<string, JsonObject>): void {
  if (Array.isArray(schema)) for (const item of schema) addTitled(item, known);
  if (!isObject(schema)) return;
  const { title } = schema;
  if (schema['type'] === 'object' && typeof title === 'string') {
    if (known.has(title)) return;
    known.set(title, schema);
  }
  for (const value of Object.values(schema)) addTitled(value, known);
}

function sampleOf(schema: unknown, text: string): unknown {
  const plain = objectOf(schema);
  const isText = plain['type'] === 'string' || textsOf(plain['type']).includes('string');
  return isText && !('enum' in plain) && !('format' in plain) ? text : sampleBody({}, plain);
}
