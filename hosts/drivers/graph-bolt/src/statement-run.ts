import { type GenerationRef, GraphStoreError, type QueryParameters, type RunOptions } from '@pacioli/core/ports';
import type { Record as BoltRecord, Session, Transaction } from 'neo4j-driver';
import { limitAnswers } from './answer-limit.ts';
import { checkedPlan } from './checked-plan.ts';
import { requireMarker } from './claim-marker.ts';
import type { ClaimedDatabase } from './claims.ts';
import type { Connections } from './connections.ts';
import { stoppedAtDeadline } from './deadline.ts';
import type { Settings } from './options.ts';
import { boundParameters } from './parameters.ts';
import { ResultStream } from './result-stream.ts';
import { boltStatement } from './statement.ts';
import { ValueReader } from './values.ts';

/** The server ends a transaction this much later than we do, in case this process is lost. */
const serverGraceMs = 1_000;

interface ReadRequest {
  readonly ref: GenerationRef;
  readonly text: string;
  readonly parameters: QueryParameters;
  readonly options: RunOptions;
}

/** Starts one reading statement: the server must agree that it reads before it runs (graphs Q-20). */
export async function startStatement(
  connections: Connections,
  settings: Settings,
  database: ClaimedDatabase,
  { ref, text, parameters, options }: ReadRequest,
  release: () => void,
): Promise<ResultStream> {
  const statement = boltStatement(text, database.tables);
  const bound = boundParameters(statement.masked, parameters);
  const session = connections.session(database.address, 'read', options.rowsPerChunk);
  const stop = (): Promise<void> => connections.end(session);
  const startedAt = performance.now();
  const started = await stoppedAtDeadline(
    startInside(session, settings, { ref, text: statement.text, bound, options }),
    options,
    stop,
  );
  return new ResultStream({
    rows: started.rows,
    columns: statement.names ?? started.keys,
    reader: new ValueReader(database.tables),
    options: { ...options, timeoutMs: Math.max(1, options.timeoutMs - (performance.now() - startedAt)) },
    maxIdleMs: settings.maxStreamIdleMs,
    stop: async () => {
      await stop();
      release();
    },
  });
}

async function startInside(
  session: Session,
  settings: Settings,
  statement: {
    readonly ref: GenerationRef;
    readonly text: string;
    readonly bound: Readonly<Record<string, unknown>>;
    readonly options: RunOptions;
  },
): Promise<{ readonly keys: readonly string[]; readonly rows: AsyncIterator<BoltRecord> }> {
  const { ref, text, bound, options } = statement;
  const timeout = options.timeoutMs + settings.maxStreamMs + serverGraceMs;
  const tx: Transaction = await session.beginTransaction({ timeout });
  await limitAnswers(tx);
  const [, { kind }] = await Promise.all([requireMarker(tx, ref), checkedPlan(tx, text, bound)]);
  if (kind !== 'read') throw new GraphStoreError('read-only', 'This statement would change the graph.');
  const result = tx.run(text, bound);
  const keys = await result.keys();
  return { keys: keys.map(String), rows: result[Symbol.asyncIterator]() };
}
