import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { Graph } from '../define/context.ts';
import type { KernelGraphSchema } from '../rows.gen.ts';
import { type AnalyticalSchema, schemaForGraph } from '../store/analytical.ts';
import type { GraphCapabilities } from '../store/graph-store.ts';
import type { Transaction } from '../store/store.ts';
import { checkDefinition } from './check-definition.ts';
import type { CheckedDefinition } from './checked-definition.ts';

/** A schema definition as it is stored: JSON of graphs section 7. */
export type SchemaDefinition = Readonly<Record<string, unknown>>;

/** The analytical schemas of graphs: those of their extensions, or one that was declared for a graph. */
export interface GraphSchemas {
  /**
   * Checks a definition against the base types of this deployment. The types of `declared`, which it contains, were
   * checked or made by us before, so they may use reserved names.
   */
  check(definition: unknown, declared?: SchemaDefinition): CheckedDefinition;
  /** The types of a graph. */
  of(tx: Transaction, graph: Pick<Graph, 'id' | 'extensions'>): Promise<AnalyticalSchema>;
  /** The definition that was declared for the graph; undefined if its extensions decide. */
  declared(tx: Transaction, graphId: string): Promise<SchemaDefinition | undefined>;
  /** Stores the checked definition of a new graph; only that of a subgraph changes (graphs CS-10). */
  declare(tx: Transaction, graphId: string, definition: SchemaDefinition, now: Date): Promise<void>;
  /** Serializes the changes of a subgraph's definition, until the transaction ends. */
  lock(tx: Transaction, graphId: string): Promise<void>;
  /** Replaces the definition of a subgraph by one with further types (graphs SG-14). */
  redeclare(tx: Transaction, graphId: string, definition: SchemaDefinition, now: Date): Promise<void>;
}

export const graphSchemas: Token<GraphSchemas> = createToken('kernel.graph-schemas');

/** The graph engine of this deployment: its driver, and the types that it can store (graphs CS-1). */
export interface GraphEngine {
  readonly driver: string;
  readonly types: GraphCapabilities['types'];
}

export const graphEngine: Token<GraphEngine> = createToken('kernel.graph-engine');

export class StoredGraphSchemas implements GraphSchemas {
  readonly #deployment: AnalyticalSchema;
  readonly #types: GraphCapabilities['types'];

  constructor(deployment: AnalyticalSchema, types: GraphCapabilities['types']) {
    this.#deployment = deployment;
    this.#types = types;
  }

  check(definition: unknown, declared: SchemaDefinition = {}): CheckedDefinition {
    const own = new Set([...namesIn(declared['nodes']), ...namesIn(declared['relationships'])]);
    return checkDefinition(definition, schemaForGraph(this.#deployment, []), { own, types: this.#types });
  }

  async of(tx: Transaction, graph: Pick<Graph, 'id' | 'extensions'>): Promise<AnalyticalSchema> {
    const definition = await this.declared(tx, graph.id);
    if (definition === undefined) return schemaForGraph(this.#deployment, graph.extensions);
    // Its names were checked when it was declared; those of subgraphs are ours.
    const { schema, problems } = checkDefinition(definition, schemaForGraph(this.#deployment, []), { own: 'all' });
    if (schema !== undefined) return schema;
    throw new Error(`The stored schema of a graph is invalid: ${problems[0]?.message}. Was a base type removed?`);
  }

  async declared(tx: Transaction, graphId: string): Promise<SchemaDefinition | undefined> {
    const [row] = await tx.query(
      sql<
        Pick<KernelGraphSchema, 'definition'>
      >`SELECT definition FROM kernel_graph_schema WHERE graph_id = ${graphId}`,
    );
    return row === undefined ? undefined : (row.definition as SchemaDefinition); // Written by `declare`.
  }

  async declare(tx: Transaction, graphId: string, definition: SchemaDefinition, now: Date): Promise<void> {
    await tx.query(sql`INSERT INTO kernel_graph_schema (graph_id, definition, created_at)
      VALUES (${graphId}, ${JSON.stringify(definition)}::jsonb, ${now}) ON CONFLICT (graph_id) DO NOTHING`);
  }

  async lock(tx: Transaction, graphId: string): Promise<void> {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.graph-schema.${graphId}`}, 0))`);
  }

  async redeclare(tx: Transaction, graphId: string, definition: SchemaDefinition, now: Date): Promise<void> {
    await tx.query(sql`INSERT INTO kernel_graph_schema (graph_id, definition, created_at)
      VALUES (${graphId}, ${JSON.stringify(definition)}::jsonb, ${now})
      ON CONFLICT (graph_id) DO UPDATE SET definition = excluded.definition`);
  }
}

/** The names in a list of types of a definition that was checked. */
const namesIn = (types: unknown): readonly string[] =>
  Array.isArray(types) ? types.map(({ name }: { readonly name: string }) => name) : [];
