import type { Field } from '../define/field.ts';
import type { Plugin } from '../define/plugin.ts';
import { addObjectTypes, fieldsOf, typeText } from '../graphql/type-text.ts';
import { isRequired, propertiesOf, withoutNull } from '../schema/names.ts';
import { domainOwners } from './endpoints.ts';
import { missingDependency, type Problem } from './problem.ts';

/** An object type of GraphQL with the plugins whose queries or fields return it. */
interface OwnedType {
  readonly schema: object;
  readonly owners: Set<string>;
}

/** Finds fields that do not fit the type that they extend (platform X-3a). */
export function wrongFields(plugins: readonly Plugin[]): readonly Problem[] {
  if (plugins.every(({ fields }) => fields.length === 0)) return [];
  const types = typesOf(plugins);
  return plugins.flatMap((plugin) =>
    plugin.fields.flatMap((field): readonly Problem[] => {
      const what = `field "${field.on}.${field.name}" of ${plugin.name}`;
      const type = types.get(field.on);
      if (type === undefined) return [unknownType(what, field, plugin)];
      return [
        ...wrongOwner(what, type, plugin),
        ...existingField(what, field, type),
        ...wrongParent(what, field, type),
      ];
    }),
  );
}

/** The types of the set; a domain without an owner has none of its queries and fields. */
function typesOf(plugins: readonly Plugin[]): ReadonlyMap<string, OwnedType> {
  const domains = domainOwners(plugins);
  const types = new Map<string, OwnedType>();
  for (const plugin of plugins)
    for (const { returns, domain = plugin.domain } of [...plugin.queries, ...plugin.fields]) {
      if (domain !== undefined && !domains.has(domain)) continue;
      const found = new Map<string, Readonly<Record<string, unknown>>>();
      addObjectTypes(returns, found);
      for (const [title, schema] of found) {
        const known = types.get(title) ?? { schema, owners: new Set() };
        known.owners.add(plugin.name);
        types.set(title, known);
      }
    }
  return types;
}

function unknownType(what: string, { on }: Field, plugin: Plugin): Problem {
  const advice = on === 'Query' ? ': define it with defineQuery' : ', which no query of the set returns';
  return {
    text: `${what} extends the type "${on}"${advice}`,
    follows: plugin.dependsOn.map((name) => missingDependency(plugin, name)),
  };
}

function wrongOwner(what: string, { owners }: OwnedType, plugin: Plugin): readonly Problem[] {
  const allowed = ['kernel', plugin.name, ...plugin.dependsOn];
  if (allowed.some((name) => owners.has(name))) return [];
  const [owner = ''] = owners;
  return [{ text: `${what} extends a type of ${owner} without dependsOn: ['${owner}']` }];
}

function existingField(what: string, { name }: Field, { schema, owners }: OwnedType): readonly Problem[] {
  if (!fieldsOf(schema).some((field) => field.name === name)) return [];
  return [{ text: `${what} already exists on the type of ${[...owners].join(' and ')}` }];
}

/** Finds fields of the parent that the type does not have, or has as another type. */
function wrongParent(what: string, { on, parent }: Field, { schema }: OwnedType): readonly Problem[] {
  const known = new Map(propertiesOf(schema).map(([name]) => [name, valueType(schema, name)]));
  return propertiesOf(parent).flatMap(([name]) => {
    const [expected, actual] = [valueType(parent, name), known.get(name)];
    if (actual === expected) return [];
    const found = actual === undefined ? `has no "${name}"` : `has ${actual}`;
    return [{ text: `${what} reads "${name}" of its parent as ${expected}, but ${on} ${found}` }];
  });
}

/** The type of a property in TypeScript's terms: without the name that GraphQL shows, such as ID. */
function valueType(object: object, name: string): string {
  const property = propertiesOf(object).find(([each]) => each === name)?.[1] ?? {};
  const { schema, nullable } = withoutNull(property);
  const { graphql: _shown, ...value } = schema;
  return typeText(value) + (isRequired(object, name) && !nullable ? '!' : '');
}
