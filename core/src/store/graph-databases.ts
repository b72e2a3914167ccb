import { sql } from 'kysely';
import type { KernelGraphDatabase } from '../rows.gen.ts';
import { columnsOf } from './columns.ts';
import type { CatalogTable, GenerationRef } from './graph-store.ts';
import type { Store, Transaction } from './store.ts';

/**
 * `loading` until it is promoted, `copying` while it is made of another one and not visible yet, `clearing` when its
 * generation no longer exists and its content is being removed.
 */
export type GraphDatabaseState = 'loading' | 'copying' | 'ready' | 'clearing';

/** A database that holds one generation of one graph. */
export interface GraphDatabase extends GenerationRef {
  /** Server and name of the database, without credentials. */
  readonly address: string;
  readonly state: GraphDatabaseState;
  readonly tables: readonly CatalogTable[];
  /** True while a process writes to it or clears it. */
  readonly isHeld: boolean;
}

/** The databases for graphs on the servers of a deployment, shared by all its processes (graphs E-30). */
export interface GraphDatabases {
  /**
   * Claims one free database of these addresses. Returns `exists` if the generation has one, and undefined if none is
   * free.
   */
  claim(
    ref: GenerationRef,
    claimed: {
      readonly state: 'loading' | 'copying';
      readonly tables: readonly CatalogTable[];
      readonly addresses: readonly string[];
    },
  ): Promise<{ readonly address: string } | 'exists' | undefined>;
  find(ref: GenerationRef): Promise<GraphDatabase | undefined>;
  /** All claimed databases, or those of one graph, by generation. */
  list(graphId?: string): Promise<readonly GraphDatabase[]>;
  setState(ref: GenerationRef, state: GraphDatabaseState): Promise<void>;
  /** Takes or extends the exclusive right to change a database. False while another holder has it. */
  hold(ref: GenerationRef, holder: string, forMs: number): Promise<boolean>;
  release(ref: GenerationRef, holder: string): Promise<void>;
  /** Makes the database of a generation free for others. */
  free(ref: GenerationRef): Promise<void>;
}

const listed = columnsOf<KernelGraphDatabase>()({
  address: 'address',
  graphId: 'graph_id',
  generation: 'generation',
  state: 'state',
  tables: 'tables',
});

/** Claims that concurrent processes make at once collide; one of them gets through each time. */
const maxAttempts = 50;

/** Keeps the claims in the transactional store, so that they are as durable as the graphs themselves. */
export function storedGraphDatabases(store: Store): GraphDatabases {
  const inKernel = <T>(work: (tx: Transaction) => Promise<T>, readOnly = false): Promise<T> =>
    store.transaction('kernel', work, { readOnly });
  return {
    claim: async (ref, claimed) => {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const outcome = await inKernel((tx) => claimOnce(tx, ref, claimed));
        if (outcome !== 'taken') return outcome;
      }
      return undefined;
    },
    find: async ({ graphId, generation }) => {
      const found = await inKernel((tx) => rowsWhere(tx, graphId, generation), true);
      return found[0];
    },
    list: (graphId) => inKernel((tx) => rowsWhere(tx, graphId), true),
    setState: ({ graphId, generation }, state) =>
      inKernel(async (tx) => {
        await tx.query(sql`UPDATE kernel_graph_database SET state = ${state}
          WHERE graph_id = ${graphId} AND generation = ${generation}`);
      }),
    hold: ({ graphId, generation }, holder, forMs) =>
      inKernel(async (tx) => {
        const held = await tx.query(sql`UPDATE kernel_graph_database
          SET holder = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${forMs / 1000})
          WHERE graph_id = ${graphId} AND generation = ${generation}
            AND (holder IS NULL OR holder = ${holder} OR held_until < clock_timestamp())
          RETURNING 1 AS held`);
        return held.length > 0;
      }),
    release: ({ graphId, generation }, holder) =>
      inKernel(async (tx) => {
        await tx.query(sql`UPDATE kernel_graph_database SET holder = NULL, held_until = NULL
          WHERE graph_id = ${graphId} AND generation = ${generation} AND holder = ${holder}`);
      }),
    free: ({ graphId, generation }) =>
      inKernel(async (tx) => {
        await tx.query(sql`DELETE FROM kernel_graph_database
          WHERE graph_id = ${graphId} AND generation = ${generation}`);
      }),
  };
}

/** `taken` if another process has claimed the chosen database at the same time. */
async function claimOnce(
  tx: Transaction,
  { graphId, generation }: GenerationRef,
  { state, tables, addresses }: Parameters<GraphDatabases['claim']>[1],
): Promise<Awaited<ReturnType<GraphDatabases['claim']>> | 'taken'> {
  const [own] = await rowsWhere(tx, graphId, generation);
  if (own !== undefined) return 'exists';
  const [free] = await tx.query(sql<Pick<KernelGraphDatabase, 'address'>>`
    SELECT wanted.address FROM unnest(${[...addresses]}::text[]) AS wanted(address)
    WHERE NOT EXISTS (SELECT 1 FROM kernel_graph_database AS taken WHERE taken.address = wanted.address)
    LIMIT 1`);
  if (free === undefined) return undefined;
  const claimed = await tx.query(sql`
    INSERT INTO kernel_graph_database (address, graph_id, generation, state, tables)
    VALUES (${free.address}, ${graphId}, ${generation}, ${state}, ${JSON.stringify(tables)}::text::jsonb)
    ON CONFLICT DO NOTHING RETURNING 1 AS claimed`);
  return claimed.length > 0 ? free : 'taken';
}

async function rowsWhere(tx: Transaction, graphId?: string, generation?: number): Promise<readonly GraphDatabase[]> {
  const rows = await tx.query(sql<Omit<GraphDatabase, 'state' | 'tables'> & { state: unknown; tables: unknown }>`
    SELECT ${listed}, coalesce(held_until > clock_timestamp(), false) AS "isHeld" FROM kernel_graph_database
    WHERE (${graphId ?? null}::text IS NULL OR graph_id = ${graphId ?? null})
      AND (${generation ?? null}::integer IS NULL OR generation = ${generation ?? null})
    ORDER BY graph_id, generation`);
  // Written by `claimOnce` and `setState` only.
  return rows.map((row) => ({
    ...row,
    state: row.state as GraphDatabaseState,
    tables: row.tables as readonly CatalogTable[],
  }));
}
