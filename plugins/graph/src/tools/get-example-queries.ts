import { defineTool, model, oneOf } from '@pacioli/core';
import type { CatalogTable } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { queryErrors } from '../cypher/index.ts';
import { analyticalGraph } from '../tokens.ts';

interface ExampleQuery {
  readonly category: string;
  readonly name: string;
  readonly description: string;
  readonly query: string;
}

/** The most examples of one kind. */
const maxPerKind = 15;

/** The labels whose examples belong to a category, by their names. */
const categoryWords: readonly (readonly [string, RegExp])[] = [
  ['documents', /document/i],
  ['portfolio', /portfolio|security|position/i],
  ['facts', /fact|period|unit/i],
  ['statements', /structure|report|statement/i],
  ['ledger', /entry|transaction|account|line|event|agent/i],
];

export default defineTool({
  name: 'get-example-queries',
  title: 'Get example queries',
  description: 'Cypher statements that work on this graph, made from its schema. Adapt one instead of guessing names.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph', 'repository'] },
  input: model(
    'GetExampleQueriesArguments',
    {
      category: Type.Optional(
        oneOf(['all', 'entity', 'facts', 'statements', 'ledger', 'portfolio', 'documents'], { default: 'all' }),
      ),
    },
    { closed: true },
  ),
  services: { analyticalGraph },
  errors: queryErrors,

  async handle({ input, ctx, use }) {
    const { category = 'all' } = input;
    const queries = examplesOf(await use.analyticalGraph.catalog(ctx.graph));
    return { queries: queries.filter((each) => category === 'all' || each.category === category) };
  },
});

function examplesOf(tables: readonly CatalogTable[]): readonly ExampleQuery[] {
  const nodes = tables.filter(({ kind }) => kind === 'node').slice(0, maxPerKind);
  const relationships = tables.filter(({ kind }) => kind === 'relationship').slice(0, maxPerKind);
  return [
    ...nodes.map((table) => ({
      category: categoryOf(table.name),
      name: `List ${table.name}`,
      description: `The first nodes of the label ${table.name}.`,
      query: `MATCH (n:${table.name}) RETURN ${propertiesOf(table)} LIMIT 25`,
    })),
    ...relationships.map((table) => ({
      category: categoryOf(table.from ?? table.name),
      name: `Count ${table.name}`,
      description: `How many ${table.from} nodes are connected to ${table.to} nodes by ${table.name}.`,
      query: `MATCH (a:${table.from})-[r:${table.name}]->(b:${table.to}) RETURN count(r) AS connections`,
    })),
  ];
}

function propertiesOf({ columns }: CatalogTable): string {
  return columns
    .slice(0, 6)
    .map(({ name }) => `n.${name} AS ${name}`)
    .join(', ');
}

function categoryOf(label: string): string {
  return categoryWords.find(([, pattern]) => pattern.test(label))?.[0] ?? 'entity';
}
