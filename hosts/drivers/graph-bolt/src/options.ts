import { tmpdir } from 'node:os';
import type { GraphDatabases, Log } from '@pacioli/core/ports';

/** A database on a graph server that holds one generation of one graph at a time. */
export interface BoltDatabase {
  /** `bolt://host:7687`, or `bolt+s://` and `bolt+ssc://` with encryption. */
  readonly url: string;
  /** The name of the database on that server; `neo4j` by default. */
  readonly database?: string;
}

/** Where the graphs live and the limits on their use. Times are in milliseconds. */
export interface BoltOptions {
  /** At least one more than there are graphs and subgraphs, because a rebuild is made beside the graph that is read. */
  readonly databases: readonly BoltDatabase[];
  /** Without it, the servers are used without authentication. */
  readonly credentials?: { readonly user: string; readonly password: string };
  /** Which database holds which graph; one for all processes of a deployment. */
  readonly directory: GraphDatabases;
  /** Takes the warning of servers without a limit of memory, once, when they are first probed. */
  readonly log?: Log;
  /** Statements at once on one graph. */
  readonly maxStatementsPerGraph?: number;
  /** Connections to one server; further statements wait up to `maxConnectMs`. */
  readonly maxConnectionsPerServer?: number;
  readonly maxConnectMs?: number;
  /** A reader that fetches no rows for this long loses its stream (graphs E-42). */
  readonly maxStreamIdleMs?: number;
  /** The server ends the transaction of a stream after this time, also if this process is lost. */
  readonly maxStreamMs?: number;
  /** The longest that reading a whole graph for a copy or backup may take. */
  readonly maxCopyMs?: number;
  readonly rowsPerBatch?: number;
  /** Where a backup is written before it is stored. */
  readonly temporaryFolder?: string;
}

export const defaults = {
  maxStatementsPerGraph: 8,
  maxConnectionsPerServer: 50,
  maxConnectMs: 10_000,
  maxStreamIdleMs: 30_000,
  maxStreamMs: 600_000,
  maxCopyMs: 3_600_000,
  rowsPerBatch: 5_000,
  temporaryFolder: tmpdir(),
};

export type Settings = BoltOptions & typeof defaults;
