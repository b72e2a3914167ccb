import type { Graph, ReadContext } from '../define/context.ts';
import type { View } from '../define/view.ts';
import { domainCategory, graphCategory } from '../limits/categories.ts';
import { canonicalJson, sha256 } from '../schema/canonical.ts';
import { atSecond, type Envelope } from './envelope.ts';
import { type Call, readJsonOrEmpty } from './http.ts';
import { claimKey, findEarlier, type IdempotencyKey, idempotencyKeyOf } from './idempotency.ts';
import { checkAnswer, enter, type Kernel, type LazyServices, requireDomain, validInput } from './kernel.ts';
import type { OperationCall } from './operation-call.ts';
import { saveInlineRun } from './record.ts';

/** A view with its path in this deployment. */
export interface MountedView {
  readonly view: View;
  readonly domain: string | undefined;
  readonly use: LazyServices;
}

/**
 * Runs a named read: the same checks and envelope as an operation, on one read-only snapshot. The response is stored
 * only for an Idempotency-Key, and replayed as long as the key lives (platform N-25).
 */
export async function runView(kernel: Kernel, mounted: MountedView, request: Call): Promise<Envelope> {
  const { view } = mounted;
  const { caller, graph } = await enter(kernel, request, {
    accepts: ['api-key', 'bearer'],
    category: view.category ?? (mounted.domain === undefined ? graphCategory : domainCategory),
    role: view.role,
  });
  if (caller === undefined || graph === undefined) throw new Error('A view was entered without a caller and a graph.');
  requireDomain(graph, mounted.domain);
  const input = validInput(kernel, view.input, await readJsonOrEmpty(request), 'body');
  const { requestId, signal } = request;
  return kernel.slots.reads.run(graph.id, signal, () =>
    callView(kernel, mounted, {
      caller,
      graph,
      input,
      requestId,
      signal,
      keyHash: idempotencyKeyOf(request),
      surface: 'rest',
    }),
  );
}

/** A request for a view after the checks that precede the read. */
export interface ViewCall
  extends Pick<OperationCall, 'caller' | 'input' | 'requestId' | 'signal' | 'keyHash' | 'surface'> {
  readonly graph: Graph;
}

/** Reads a view for HTTP and for tools, on one read-only snapshot. */
export async function callView(kernel: Kernel, mounted: MountedView, call: ViewCall): Promise<Envelope> {
  const { caller, graph, input, keyHash, requestId, signal } = call;
  const { view } = mounted;
  const fingerprint = sha256(canonicalJson(input));
  const key: IdempotencyKey | undefined =
    keyHash === undefined
      ? undefined
      : { userId: caller.userId, graphId: graph.id, operation: view.name, hash: keyHash, fingerprint };
  const startedAt = kernel.clock.now();
  if (key !== undefined) {
    const earlier = await kernel.store.transaction({ graphId: graph.id }, (tx) => findEarlier(tx, key, startedAt), {
      readOnly: true,
    });
    if (earlier !== undefined) return earlier;
  }
  const result = await kernel.store.transaction(
    { graphId: graph.id },
    (tx) => {
      const ctx: ReadContext = {
        caller,
        graph,
        tx,
        requestId,
        signal,
        log: kernel.log,
        now: () => kernel.clock.now(),
      };
      return view.handle({ input, ctx, use: mounted.use() });
    },
    { readOnly: true },
  );
  checkAnswer(kernel, view.name, view.output, result);
  const operationId = kernel.ids.make('op');
  if (key !== undefined) {
    const run = {
      operationId,
      operation: view.name,
      caller,
      graphId: graph.id,
      requestId,
      surface: call.surface,
      startedAt,
      endedAt: kernel.clock.now(),
      inputFingerprint: fingerprint,
      key,
      replayHours: kernel.settings.idempotency.ttlHours,
      stale: undefined,
      restoresResult: false,
      events: [],
    };
    const earlier = await kernel.store.transaction({ graphId: graph.id }, async (tx) => {
      const first = await claimKey(tx, key, { ...run, isOfWorker: false });
      if (first === undefined) saveInlineRun(tx, run, result);
      return first;
    });
    // Two concurrent requests with one key both get the stored response.
    if (earlier !== undefined) return earlier;
  }
  return {
    operation: view.name,
    operationId,
    status: 'completed',
    result: result ?? null,
    at: atSecond(startedAt),
    createdBy: caller.userId,
    idempotentReplay: false,
  };
}
