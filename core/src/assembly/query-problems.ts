import type { Plugin } from '../define/plugin.ts';
import { isJsonSchema, objectTitle, propertiesOf, withoutNull } from '../schema/names.ts';
import type { Problem } from './problem.ts';

/** Finds arguments that GraphQL cannot take as input, because the schema is built only with its first request. */
export function wrongArguments(plugins: readonly Plugin[]): readonly Problem[] {
  const parts = [
    ...plugins.flatMap(({ queries }) => queries.map(({ name, args }) => ({ what: `query "${name}"`, args }))),
    ...plugins.flatMap(({ fields }) => fields.map(({ on, name, args }) => ({ what: `field "${on}.${name}"`, args }))),
  ];
  return parts.flatMap(({ what, args }) =>
    (args === undefined ? [] : propertiesOf(args))
      .filter(([, schema]) => isObjectInput(schema))
      .map(([arg]) => ({
        text:
          `the argument "${arg}" of ${what} is an object, which cannot be an input of GraphQL; use one argument for ` +
          'each field, or openObject()',
      })),
  );
}

function isObjectInput(given: object): boolean {
  const { schema } = withoutNull(given);
  const { items } = schema;
  return schema['type'] === 'array' && isJsonSchema(items) ? isObjectInput(items) : objectTitle(schema) !== undefined;
}
