import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { code, facts, linkTo, type Page, page, prose, section, table } from './markdown.ts';
import { byName } from './operations.ts';
import type { ReferenceSet } from './reference-set.ts';

/** The page of the fields of the GraphQL type `Query`, by plugin. */
export function queriesPage({ plugins, graphql }: ReferenceSet): Page {
  const fields = graphql.getQueryType()?.getFields() ?? {};
  const withQueries = plugins.filter(({ queries }) => queries.length > 0);
  return page('queries', 'Queries', [
    'The reads of a graph: fields of the GraphQL type `Query` at `POST /extensions/{graph_id}/graphql`. The',
    '[types](graphql-types.md) have a page of their own. A request costs the points of its fields, at most 1,000.',
    '',
    ...table(
      ['Query', 'Plugin', 'What it answers'],
      withQueries.flatMap((plugin) =>
        byName(plugin.queries).map(({ name, summary }) => [linkTo('', name), plugin.name, prose(summary)]),
      ),
    ),
    ...withQueries.flatMap((plugin) => [
      `## ${plugin.title}`,
      '',
      ...byName(plugin.queries).flatMap(({ name, summary, role, cost }) => {
        const field = fields[name];
        if (field === undefined) throw new Error(`The schema has no query "${name}".`);
        return [
          `### ${name}`,
          '',
          prose(summary),
          '',
          ...facts([
            ['Result', typeLink(field.type)],
            ['Role', role],
            ['Cost', `${cost?.points ?? 10} points${rowsOf(field, cost)}`],
          ]),
          ...section('**Arguments**', argumentTable(field.args)),
        ];
      }),
    ]),
  ]);
}

function rowsOf({ args }: Pick<GraphQLField<unknown, unknown>, 'args'>, cost?: { readonly maxRows?: number }): string {
  return args.some(({ name }) => name === 'limit') ? ` per 50 rows; at most ${cost?.maxRows ?? 1000} rows` : '';
}

function argumentTable(args: readonly GraphQLArgument[]): readonly string[] {
  return table(
    ['Argument', 'Type', 'Default'],
    args.map(({ name, type, defaultValue }) => [
      code(name),
      typeLink(type),
      defaultValue === undefined || defaultValue === null ? '' : code(JSON.stringify(defaultValue)),
    ]),
  );
}

/** The page of the object types that queries answer with. */
export function graphqlTypesPage({ graphql }: ReferenceSet): Page {
  const types = Object.values(graphql.getTypeMap()).filter(
    (type): type is GraphQLObjectType =>
      isObjectType(type) && !type.name.startsWith('__') && type !== graphql.getQueryType(),
  );
  return page('graphql-types', 'GraphQL types', [
    'The objects that [queries](queries.md) answer with. `!` marks what is never null.',
    '',
    ...byName(types).flatMap((type) => [
      `## ${type.name}`,
      '',
      ...(type.description ? [prose(type.description), ''] : []),
      ...table(
        ['Field', 'Type', 'Arguments'],
        Object.values(type.getFields()).map((field) => [
          code(field.name),
          typeLink(field.type),
          field.args.map((each) => code(`${each.name}: ${each.type}`)).join(', '),
        ]),
      ),
    ]),
  ]);
}

function typeLink(type: GraphQLType): string {
  const named: GraphQLNamedType = getNamedType(type);
  if (!isObjectType(named) || isSpecifiedScalarType(named)) return code(String(type));
  return `[${code(String(type))}](graphql-types.md#${named.name.toLowerCase()})`;
}
