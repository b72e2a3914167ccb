import type { Plugin } from '../define/plugin.ts';
import { isJsonSchema, objectTitle, propertiesOf, withoutNull } from '../schema/names.ts';
import type { Problem } from './problem.ts';

/** Finds arguments that GraphQL cannot take as input, because the schema is built only with its first request. */
export function wrongArguments(plugins: readonly Plugin[]): readonly Problem[] {
  return plugins
    .flatMap((plugin) => plugin.queries)
    .flatMap(({ name, args }) =>
      (args === undefined ? [] : propertiesOf(args))
        .filter(([, schema]) => isObjectInput(schema))
        .map(([arg]) => ({
          text:
            `the argument "${arg}" of query "${name}" is an object, which cannot be an input of GraphQL; use one ` +
            'argument for each field, or openObject()',
        })),
    );
}

function isObjectInput(given: object): boolean {
  const { schema } = withoutNull(given);
  const { items } = schema;
  return schema['type'] === 'array' && isJsonSchema(items) ? isObjectInput(items) : objectTitle(schema) !== undefined;
}
