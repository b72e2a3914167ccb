import { type GenerationRef, GraphStoreError } from '@pacioli/core/ports';
import type { Session } from 'neo4j-driver';
import { unmarkStatement } from './claim-marker.ts';
import type { Connections } from './connections.ts';
import { quoted } from './schema-statements.ts';

interface ClearRequest {
  readonly connections: Connections;
  readonly address: string;
  readonly ref: GenerationRef;
  /** Takes, extends or shortens the right to change the database. */
  readonly hold: (forMs: number) => Promise<boolean>;
  /** Resolves when the readers of this process have ended, or after the longest wait for them. */
  readonly readersEnded: () => Promise<void>;
}

const rowsPerBatch = 10_000;
/** A batch ends well before the right to change the database does, so that no two processes change it at once. */
const batchMs = 30_000;
const holdMs = 120_000;
/** After a failure, a batch may still run on the server for its own time. */
const afterFailureMs = batchMs + 5_000;
const maxEndingMs = 30_000;
const pollMs = 50;
/**
 * The transactions of a database that can still read, without the one that lists them. A terminated one is listed until
 * its client asks for more rows, and gets an error then.
 */
const others = `SHOW TRANSACTIONS YIELD database, transactionId, status, currentQuery
  WHERE database = $database AND NOT status STARTS WITH 'Terminated'
    AND NOT coalesce(currentQuery, '') STARTS WITH 'SHOW TRANSACTIONS YIELD database'
  RETURN collect(transactionId) AS ids`;

/**
 * Empties a database in steps that can each be repeated. Returns false if another process is doing it. When it returns
 * true, no transaction is left that could still read the old content.
 */
export async function clearDatabase(request: ClearRequest): Promise<boolean> {
  const { connections, address, ref, hold, readersEnded } = request;
  if (!(await hold(holdMs))) return false;
  const session = connections.session(address, 'write');
  let removesRows = false;
  try {
    // The mark goes first: from now on no transaction starts to read.
    await session.executeWrite((tx) => tx.run(unmarkStatement(ref)));
    await readersEnded();
    await endTransactions(session, connections.nameOf(address));
    for (const statement of [
      `MATCH ()-[r]->() WITH r LIMIT ${rowsPerBatch} DELETE r RETURN count(*) AS removed`,
      `MATCH (n) WITH n LIMIT ${rowsPerBatch} DELETE n RETURN count(*) AS removed`,
    ]) {
      for (let removed = rowsPerBatch; removed > 0; ) {
        if (!(await hold(holdMs))) return false;
        removesRows = true;
        removed = await removeBatch(session, statement);
      }
    }
    await dropSchema(session);
    return true;
  } catch (error) {
    // Another claim may finish it as soon as that is safe. If this fails too, the right expires by itself.
    await hold(removesRows ? afterFailureMs : 0).catch(() => false);
    throw error;
  } finally {
    await connections.end(session);
  }
}

async function removeBatch(session: Session, statement: string): Promise<number> {
  const { records } = await session.executeWrite((tx) => tx.run(statement), { timeout: batchMs });
  return Number(records[0]?.get('removed') ?? 0);
}

async function dropSchema(session: Session): Promise<void> {
  await session.executeWrite(async (tx) => {
    const { records } = await tx.run('SHOW CONSTRAINTS YIELD name RETURN name');
    for (const record of records) await tx.run(`DROP CONSTRAINT ${quoted(String(record.get('name')))} IF EXISTS`);
  });
  await session.executeWrite(async (tx) => {
    // The server itself needs its look-up indexes.
    const { records } = await tx.run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name");
    for (const record of records) await tx.run(`DROP INDEX ${quoted(String(record.get('name')))} IF EXISTS`);
  });
}

/** Ends every other transaction of this database, of whichever process, and waits until none is left. */
async function endTransactions(session: Session, database: string): Promise<void> {
  const deadline = Date.now() + maxEndingMs;
  for (;;) {
    const { records } = await session.executeRead((tx) => tx.run(others, { database }));
    const ids = (records[0]?.get('ids') ?? []) as readonly string[]; // A list of texts, as collected.
    if (ids.length === 0) return;
    if (Date.now() > deadline)
      throw new GraphStoreError('unavailable', 'Queries on a removed graph do not end: try again in a moment.');
    await session.executeRead((tx) => tx.run('TERMINATE TRANSACTIONS $ids', { ids }));
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
