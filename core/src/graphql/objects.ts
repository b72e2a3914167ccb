import type { SchemaComposer } from 'graphql-compose';
import { camelCase, isRequired, propertiesOf, withoutNull } from '../schema/names.ts';
import type { RunningRequest } from './request.ts';
import { addObjectTypes, fieldsOf, typeText } from './type-text.ts';

/** Adds the object types of a result that the composer does not have yet. */
export function addObjects(composer: SchemaComposer<RunningRequest>, returns: object): void {
  const types = new Map<string, Readonly<Record<string, unknown>>>();
  addObjectTypes(returns, types);
  for (const [title, schema] of types) {
    if (composer.has(title)) continue;
    const fields = fieldsOf(schema).map(({ name, property, type }) => [
      name,
      { type, resolve: (source: object) => readProperty(source, property) },
    ]);
    composer.createObjectTC(title).addFields(Object.fromEntries(fields));
  }
}

/** The value of a property; one that is a function is read only now that it is selected. */
export function readProperty(source: object, property: string): unknown {
  const value = (source as Readonly<Record<string, unknown>>)[property]; // The resolver's types guarantee the row.
  return typeof value === 'function' ? value() : value;
}

/** Adds the enumerations of the arguments: lists of strings with a name as their hint. */
export function addEnums(composer: SchemaComposer<RunningRequest>, args: object | undefined): void {
  for (const [, property] of propertiesIn(args)) {
    const { schema } = withoutNull(property);
    const name = typeText(schema);
    if (!Array.isArray(schema['enum']) || composer.has(name) || name === 'String') continue;
    const values = schema['enum'].map((value): [string, object] => [String(value), { value }]);
    composer.createEnumTC({ name, values: Object.fromEntries(values) });
  }
}

/** The arguments of a field; all but the required ones are nullable (platform E-24). */
export function argumentsOf(args: object | undefined): Record<string, { type: string; defaultValue?: unknown }> {
  return Object.fromEntries(
    propertiesIn(args).map(([name, schema]) => {
      const required = args !== undefined && isRequired(args, name);
      const type = typeText(withoutNull(schema).schema) + (required ? '!' : '');
      return [camelCase(name), required ? { type } : { type, defaultValue: schema['default'] ?? null }];
    }),
  );
}

/** The given arguments by their names in the definition; null counts as absent. */
export function givenArguments(
  args: object | undefined,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(propertiesIn(args).map(([name]) => [name, given[camelCase(name)] ?? undefined]));
}

function propertiesIn(args: object | undefined): ReturnType<typeof propertiesOf> {
  return args === undefined ? [] : propertiesOf(args);
}
