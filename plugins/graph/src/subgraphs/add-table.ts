import {
  type GraphSchemas,
  graphSchemas,
  invalidInput,
  kernel,
  notFound,
  type SchemaDefinition,
  type Subgraphs,
  subgraphs,
  type ToolContext,
} from '@pacioli/core';
import { isGraphStoreError } from '@pacioli/core/ports';
import { queryErrors, queryFailure } from '../cypher/index.ts';
import { definitionOf } from '../schema/index.ts';
import { type AnalyticalGraph, analyticalGraph } from '../tokens.ts';
import { type AddedType, withType } from './added-types.ts';
import { type RunningStatements, runningStatements } from './running-statements.ts';

export const addTableErrors = {
  ...queryErrors,
  INVALID_INPUT: 'The subgraph cannot have such a table; the message says why.',
  TABLE_EXISTS: { kind: 'conflict', meaning: 'The subgraph has another table of this name.' },
} as const;

interface AddTableServices {
  readonly schemas: GraphSchemas;
  readonly subgraphs: Pick<Subgraphs, 'generation'>;
  readonly analyticalGraph: AnalyticalGraph;
  readonly running: RunningStatements;
}

/** The services of the tools that add tables. */
export const addTableServices = {
  schemas: graphSchemas,
  subgraphs,
  analyticalGraph,
  running: runningStatements,
  graphStore: kernel.graphStore,
} as const;

interface AddedTable {
  readonly name: string;
  /** False if the subgraph had it. */
  readonly created: boolean;
}

/**
 * Adds a table to a subgraph. The definition is stored first, and tables that the database lacks are made from it, so
 * that the same call completes one that a crash or an engine that is away broke off (graphs SG-14).
 */
export function addTable(use: AddTableServices, ctx: ToolContext, added: AddedType): Promise<AddedTable> {
  // A deletion waits for it, so that it does not leave a definition to the next subgraph of the name (graphs SG-13).
  return use.running.track(ctx.graph.id, () => add(use, ctx, added));
}

async function add(use: AddTableServices, ctx: ToolContext, added: AddedType): Promise<AddedTable> {
  const { graph } = ctx;
  const { schema, isNew } = await ctx.transaction(async (tx) => {
    await use.schemas.lock(tx, graph.id);
    if ((await use.subgraphs.generation(tx, graph.id)) === undefined) throw notFound('Graph not found.');
    const current = await use.schemas.of(tx, graph);
    const declared: SchemaDefinition = (await use.schemas.declared(tx, graph.id)) ?? {
      name: 'static',
      ...definitionOf(current),
    };
    const next = withType(declared, added);
    if (next === undefined) return { schema: current, isNew: false };
    const checked = use.schemas.check(next, declared);
    const [problem] = checked.problems;
    if (checked.schema === undefined) throw invalidInput(`${problem?.message ?? 'The table is invalid'}.`);
    await use.schemas.redeclare(tx, graph.id, next, ctx.now());
    return { schema: checked.schema, isNew: true };
  });
  const started = performance.now();
  try {
    await use.analyticalGraph.addTables(graph, schema);
  } catch (error) {
    if (!isGraphStoreError(error)) throw error;
    const elapsedMs = performance.now() - started;
    throw queryFailure(error, { timeoutMs: elapsedMs, elapsedMs });
  }
  return { name: added.type.name, created: isNew };
}
