import {
  type GenerationRef,
  GraphStoreError,
  type QueryParameters,
  type ResultRow,
  type RowStream,
  type RunOptions,
} from '@pacioli/core/ports';
import { writtenRowStream } from '@pacioli/graph-statements';
import type { Session } from 'neo4j-driver';
import { limitAnswers } from './answer-limit.ts';
import { checkedPlan } from './checked-plan.ts';
import { requireMarker } from './claim-marker.ts';
import type { ClaimedDatabase } from './claims.ts';
import type { Connections } from './connections.ts';
import { stoppedAtDeadline } from './deadline.ts';
import { boundParameters } from './parameters.ts';
import { type BoltStatement, boltStatement } from './statement.ts';
import { ValueReader } from './values.ts';
import { withFloats } from './written-floats.ts';
import { requireDeclaredRows } from './written-rows.ts';

interface WriteRequest {
  readonly ref: GenerationRef;
  readonly text: string;
  readonly parameters: QueryParameters;
  readonly options: RunOptions;
}

interface Written {
  readonly columns: readonly string[];
  readonly rows: readonly ResultRow[];
  readonly isTruncated: boolean;
}

/** Runs one writing statement in its own transaction and returns its rows when they are durable. */
export async function writeStatement(
  connections: Connections,
  database: ClaimedDatabase,
  { ref, text, parameters, options }: WriteRequest,
): Promise<RowStream> {
  const prepared = boltStatement(text, database.tables);
  const statement = { ...prepared, text: withFloats(prepared.text, database.tables) };
  const bound = boundParameters(statement.masked, parameters);
  const session = connections.session(database.address, 'write');
  const progress = { isCommitting: false };
  try {
    const work = writeInside(session, database, { ref, statement, bound, options, progress });
    return writtenRowStream(
      await stoppedAtDeadline(work, options, () => connections.end(session)),
      options.rowsPerChunk,
    );
  } catch (error) {
    if (!progress.isCommitting || !(error instanceof GraphStoreError) || error.code === 'bind') throw error;
    throw new GraphStoreError(error.code, `${error.message} It may have been written.`, { cause: error });
  } finally {
    await connections.end(session);
  }
}

async function writeInside(
  session: Session,
  database: ClaimedDatabase,
  request: {
    readonly ref: GenerationRef;
    readonly statement: BoltStatement;
    readonly bound: Readonly<Record<string, unknown>>;
    readonly options: RunOptions;
    readonly progress: { isCommitting: boolean };
  },
): Promise<Written> {
  const { ref, statement, bound, options, progress } = request;
  const tx = await session.beginTransaction({ timeout: options.timeoutMs });
  await limitAnswers(tx);
  await Promise.all([requireMarker(tx, ref), checkedPlan(tx, statement.text, bound)]);
  const result = tx.run(statement.text, bound);
  const columns = statement.names ?? (await result.keys()).map(String);
  const reader = new ValueReader(database.tables);
  const rows: ResultRow[] = [];
  let isTruncated = false;
  for await (const record of result) {
    if (rows.length < options.maxRows) rows.push([...record.values()].map((value) => reader.value(value)));
    else isTruncated = true;
  }
  const { counters } = await result.summary();
  if (counters.containsUpdates()) await requireDeclaredRows(tx, database.tables);
  progress.isCommitting = true;
  await tx.commit();
  return { columns, rows, isTruncated };
}
