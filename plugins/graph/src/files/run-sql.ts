import type { AnalyticalSchema, Graph, Graphs, Store, Transaction } from '@pacioli/core';
import type { SqlAnswer, SqlOptions, SqlParameters, StagingStore } from '@pacioli/core/ports';
import { withSettled } from './settled-staging.ts';
import { stagedTables } from './staged-tables.ts';

/** The longest time of one statement of the store. */
const maxStatementMs = 30_000;

interface Sources {
  readonly store: Store;
  readonly schemas: { of(tx: Transaction, graph: Graph): Promise<AnalyticalSchema> };
  readonly staging: StagingStore;
  readonly graphs: Graphs;
}

interface SqlStatement {
  readonly text: string;
  readonly parameters: SqlParameters;
  readonly options: SqlOptions;
}

/** Staged rows of a generic graph; of an entity graph, its records as they are now (graphs SQ-7 to SQ-9). */
export async function runSql(
  services: Sources,
  graph: Graph,
  { text, parameters, options }: SqlStatement,
): Promise<SqlAnswer> {
  const { store, schemas, staging } = services;
  if (graph.parentId !== undefined) return staging.queryRows(graph.id, [], text, parameters, options);
  const inGraph = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    store.transaction({ graphId: graph.id }, work, { readOnly: true, maxStatementMs });
  const schema = await inGraph((tx) => schemas.of(tx, graph));
  if (graph.type === 'generic') {
    const tables = stagedTables(schema);
    return withSettled(services, graph.id, tables, () => staging.query(graph.id, tables, text, parameters, options));
  }
  const snapshot = new Snapshot(inGraph);
  const sources = [...schema.nodes, ...schema.relationships].flatMap((table) => {
    const { rows } = table;
    if (rows === undefined) return [];
    const isRelationship = table.kind === 'relationship';
    const columns = table.columns.map(({ name, type }, index) => ({
      name: isRelationship && index < 2 ? (['src', 'dst'][index] ?? name) : name,
      type,
    }));
    const read = async function* (): Batches {
      yield* renamed(rows({ graphId: graph.id, tx: await snapshot.transaction() }), isRelationship);
    };
    return [{ name: table.name, columns, rows: read }];
  });
  try {
    return await staging.queryRows(graph.id, sources, text, parameters, options);
  } finally {
    await snapshot.end();
  }
}

/**
 * One snapshot for all tables, from the first that is read: a statement that waits for its turn must not keep a
 * connection of the store.
 */
class Snapshot {
  readonly #begin: (work: (tx: Transaction) => Promise<void>) => Promise<void>;
  readonly #ended: Promise<void>;
  #end = (): void => undefined;
  #opened: Promise<Transaction> | undefined;
  #closed: Promise<unknown> | undefined;

  constructor(begin: (work: (tx: Transaction) => Promise<void>) => Promise<void>) {
    this.#begin = begin;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  transaction(): Promise<Transaction> {
    this.#opened ??= new Promise((resolve, reject) => {
      const work = (tx: Transaction): Promise<void> => {
        resolve(tx);
        return this.#ended;
      };
      // A failure after the beginning is one of a statement, which its reader has got.
      this.#closed = this.#begin(work).catch(reject);
    });
    return this.#opened;
  }

  async end(): Promise<void> {
    this.#end();
    await this.#closed;
  }
}

type Batches = ReturnType<NonNullable<AnalyticalSchema['nodes'][number]['rows']>>;

/** The ends of relationships have the names that they have in staging (graphs T-4). */
async function* renamed(batches: Batches, isRelationship: boolean): Batches {
  for await (const batch of batches)
    yield isRelationship ? batch.map(({ from, to, ...row }) => ({ src: from, dst: to, ...row })) : batch;
}
