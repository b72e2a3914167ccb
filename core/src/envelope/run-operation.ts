import type { Admitted, FinishedAtOnce, Operation } from '../define/operation.ts';
import { toServiceError } from '../errors/to-wire.ts';
import { domainCategory, graphCategory } from '../limits/categories.ts';
import type { Scope, Transaction } from '../store/store.ts';
import {
  dedupeKeyOf,
  dedupeSince,
  findInFlightDuplicate,
  isFinishedAtOnce,
  noteJoined,
  requireCapacity,
  requireNoOpenRun,
} from './acceptance.ts';
import { emitterOf } from './emitter.ts';
import type { Envelope } from './envelope.ts';
import { type Call, readJsonOrEmpty } from './http.ts';
import {
  findEarlier,
  fingerprintOf,
  type IdempotencyKey,
  idempotencyKeyOf,
  inTransactionOfKey,
  releaseKey,
} from './idempotency.ts';
import {
  checkAnswer,
  enter,
  type Kernel,
  type LazyServices,
  requireAccountWide,
  requireDomain,
  requireOrgRole,
  validInput,
} from './kernel.ts';
import { type OperationCall, prepareContext, writeContext } from './operation-call.ts';
import { type EmittedEvent, envelopeOf, type RunRecord, saveFailure, saveInlineRun, savePendingRun } from './record.ts';
import type { RestoreResult } from './restored-results.ts';

/** An operation with its path in this deployment. */
export interface MountedOperation {
  readonly operation: Operation;
  readonly domain: string | undefined;
  readonly use: LazyServices;
}

export interface OperationOutcome {
  readonly envelope: Envelope;
  readonly headers: Readonly<Record<string, string>>;
}

/** The failure of an operation with the id of its audit row (platform N-4). */
export class OperationFailure extends Error {
  readonly operationId: string;

  constructor(operationId: string, cause: unknown) {
    super('The operation failed.', { cause });
    this.operationId = operationId;
  }
}

/** Runs a write over HTTP, in the order of platform N-7. There are no hooks before, between or after these steps. */
export async function runOperation(
  kernel: Kernel,
  mounted: MountedOperation,
  request: Call,
): Promise<OperationOutcome> {
  const { operation } = mounted;
  const { caller, graph } = await enter(kernel, request, {
    accepts: ['api-key', 'bearer'],
    category: operation.category ?? (mounted.domain === undefined ? graphCategory : domainCategory),
    role: operation.role,
    refusal: operation.refusal,
    isAllowedWhileBlocked: operation.whileBlocked === true,
    isFormerAllowed: operation.onFormerGraphs === true,
    isLibraryAllowed: mounted.domain !== undefined,
  });
  if (caller === undefined) throw new Error('An operation was entered without a caller.');
  if (graph === undefined) {
    requireAccountWide(kernel, caller, request);
    requireOrgRole(kernel, caller, operation, request);
  } else requireDomain(graph, mounted.domain, operation.alternativeDomains);
  const keyHash = idempotencyKeyOf(request);
  const input = await inputOf(kernel, mounted, request, { caller, graph });
  const { graph_id: _graph, ...params } = request.params;
  const { requestId, signal, origin } = request;
  const call = () =>
    callOperation(kernel, mounted, {
      caller,
      graph,
      input,
      params,
      keyHash,
      requestId,
      signal,
      origin,
      surface: 'rest',
    });
  return graph === undefined ? call() : kernel.slots.operations.run(graph.id, signal, call);
}

/** Reads and validates the body. The precheck runs first, so that its refusal takes precedence over body errors. */
async function inputOf(
  kernel: Kernel,
  { operation, use }: MountedOperation,
  request: Call,
  { caller, graph }: Pick<OperationCall, 'caller' | 'graph'>,
): Promise<unknown> {
  try {
    return validInput(kernel, operation.input, await readJsonOrEmpty(request), 'body');
  } catch (error) {
    const precheck = operation.precheck?.bind(operation);
    if (precheck !== undefined) {
      await kernel.store.transaction('kernel', (tx) => precheck({ caller, graph, tx, use: use() }), { readOnly: true });
    }
    throw error;
  }
}

/** A run in progress; its events are added as they are emitted. */
type RunInProgress = RunRecord & { readonly events: EmittedEvent[] };

/** Executes a write for HTTP and in-process callers: idempotency, transaction, record, audit, outbox. */
export async function callOperation(
  kernel: Kernel,
  mounted: MountedOperation,
  call: OperationCall,
): Promise<OperationOutcome> {
  const { operation } = mounted;
  const fingerprint = fingerprintOf(call.input, call.params);
  const key = keyOf(mounted, call);
  const scope = scopeOf(mounted, call);
  const startedAt = kernel.clock.now();
  const base: RunInProgress = {
    operationId: kernel.ids.make('op'),
    operation: operation.name,
    caller: call.caller,
    graphId: call.graph?.id ?? null,
    requestId: call.requestId,
    surface: call.surface,
    startedAt,
    endedAt: startedAt,
    inputFingerprint: fingerprint,
    key,
    replayHours: kernel.settings.idempotency.ttlHours,
    stale: operation.stale,
    restoresResult: operation.restoreResult !== undefined,
    events: [],
  };
  const restore = restoreOf(mounted);
  const attempt = async (): Promise<OperationOutcome> => {
    const { prepare } = operation;
    // A replay must not do the work again.
    const replayed =
      prepare === undefined || key === undefined ? undefined : await replayOf(kernel, scope, key, startedAt);
    if (replayed !== undefined) return { envelope: replayed, headers: {} };
    const prepared = await prepare?.({ input: call.input, ctx: prepareContext(kernel, call), use: mounted.use() });
    const run = { ...base, isOfWorker: operation.runs === 'worker', restore };
    return inTransactionOfKey(key, run, (claim) =>
      kernel.store.transaction(scope, async (tx) => {
        const earlier = await claim(tx);
        if (earlier !== undefined) return { envelope: earlier, headers: {} };
        return operation.runs === 'worker'
          ? accept(kernel, mounted, { ...call, prepared }, base, tx)
          : execute(kernel, mounted, { ...call, prepared }, base, tx);
      }),
    );
  };
  try {
    const outcome = await attempt();
    if (operation.runs === 'worker') kernel.wakeWorker();
    if (base.events.length > 0) kernel.wakeRelay();
    return outcome;
  } catch (error) {
    const failure = toServiceError(error);
    if (failure.kind === 'internal')
      kernel.log.error('operation failed', { operation: operation.name, requestId: call.requestId, error });
    const record = { ...base, endedAt: kernel.clock.now() };
    await kernel.store
      .transaction(scope, (tx) => saveFailure(tx, record, failure))
      .catch((cause: unknown) => {
        kernel.log.error('a failed call could not be audited', {
          operation: operation.name,
          requestId: call.requestId,
          error: cause,
        });
      });
    throw new OperationFailure(base.operationId, error);
  }
}

/** Executes an inline run: the handler and its bookkeeping are one transaction. */
async function execute(
  kernel: Kernel,
  mounted: MountedOperation,
  call: OperationCall & { readonly prepared: unknown },
  base: RunInProgress,
  tx: Transaction,
): Promise<OperationOutcome> {
  const { operation } = mounted;
  const { prepared } = call;
  const headers: Record<string, string> = {};
  const emit = emitterOf(kernel, operation, base.events);
  const ctx = writeContext(kernel, call, { operationId: base.operationId, tx, emit, headers });
  const result = await operation.handle({ input: call.input, ctx, use: mounted.use(), prepared });
  checkAnswer(kernel, operation.name, operation.output, result);
  const run: RunRecord = { ...base, endedAt: kernel.clock.now() };
  saveInlineRun(tx, run, result);
  return { envelope: envelopeOf(run, 'completed', result), headers };
}

/** Accepts a worker run: the request only creates its record. */
async function accept(
  kernel: Kernel,
  mounted: MountedOperation,
  call: OperationCall & { readonly prepared: unknown },
  base: RunRecord,
  tx: Transaction,
): Promise<OperationOutcome> {
  const { operation } = mounted;
  const { prepared } = call;
  if (isFinishedAtOnce(prepared)) return finishAtOnce(kernel, operation, base, prepared, tx);
  const dedupeKey = dedupeKeyOf(operation, call, base);
  const duplicate =
    dedupeKey === null
      ? undefined
      : await findInFlightDuplicate(tx, dedupeKey, dedupeSince(operation, base, kernel.settings));
  if (duplicate !== undefined) {
    const { joins } = operation;
    if (base.key !== undefined) await releaseKey(tx, base.operationId);
    if (joins !== undefined) await noteJoined(tx, duplicate.id, call.caller.userId);
    const accepted = joins === undefined ? duplicate.accepted : { ...duplicate.accepted, deduplicated: true };
    return { envelope: { ...envelopeOf(base, 'pending', accepted), operationId: duplicate.id }, headers: {} };
  }
  await requireCapacity(tx, { userId: call.caller.userId, graphId: call.graph?.id ?? null });
  const headers: Record<string, string> = {};
  const emit = emitterOf(kernel, operation, []);
  const ctx = writeContext(kernel, call, { operationId: base.operationId, tx, emit, headers });
  const accepted: Admitted =
    (await operation.admit?.({ input: call.input, ctx, use: mounted.use(), prepared })) ?? null;
  if (isFinishedAtOnce(accepted)) return { ...finishAtOnce(kernel, operation, base, accepted, tx), headers };
  const run: RunRecord = { ...base, endedAt: kernel.clock.now() };
  const exclusiveKey = await requireNoOpenRun(tx, { operation, input: call.input, graphId: base.graphId });
  await savePendingRun(tx, run, {
    dedupeKey: exclusiveKey ?? dedupeKey,
    body: { input: call.input, accepted, caller: call.caller, requestId: call.requestId },
  });
  return { envelope: envelopeOf(run, 'pending', accepted), headers };
}

/** Completes an accepted request without a run. */
function finishAtOnce(
  kernel: Kernel,
  operation: Operation,
  base: RunRecord,
  { result }: FinishedAtOnce,
  tx: Transaction,
): OperationOutcome {
  checkAnswer(kernel, operation.name, operation.output, result);
  const run: RunRecord = { ...base, endedAt: kernel.clock.now() };
  saveInlineRun(tx, run, result);
  return { envelope: envelopeOf(run, 'completed', result), headers: {} };
}

/** Returns the function that rebuilds results of earlier calls; undefined for an operation whose results are stored. */
export function restoreOf({ operation, use }: MountedOperation): RestoreResult | undefined {
  const restoreResult = operation.restoreResult?.bind(operation);
  return restoreResult && ((call) => restoreResult({ call, use: use() }));
}

/** The envelope of an earlier call with the same key; 409 if its input was another. Undefined without a key. */
export async function earlierCall(
  kernel: Kernel,
  mounted: MountedOperation,
  call: KeyedCall,
): Promise<Envelope | undefined> {
  const key = keyOf(mounted, call);
  return key === undefined ? undefined : replayOf(kernel, scopeOf(mounted, call), key, kernel.clock.now());
}

type KeyedCall = Pick<OperationCall, 'caller' | 'graph' | 'input' | 'params' | 'keyHash'>;

function keyOf({ operation }: MountedOperation, call: KeyedCall): IdempotencyKey | undefined {
  if (call.keyHash === undefined) return undefined;
  return {
    userId: call.caller.userId,
    graphId: call.graph?.id ?? '-',
    operation: operation.name,
    hash: call.keyHash,
    fingerprint: fingerprintOf(call.input, call.params),
  };
}

function scopeOf({ operation }: MountedOperation, { graph }: Pick<OperationCall, 'graph'>): Scope {
  return graph !== undefined && operation.acceptedIn !== 'kernel' ? { graphId: graph.id } : 'kernel';
}

function replayOf(kernel: Kernel, scope: Scope, key: IdempotencyKey, now: Date): Promise<Envelope | undefined> {
  return kernel.store.transaction(scope, (tx) => findEarlier(tx, key, now), { readOnly: true });
}
