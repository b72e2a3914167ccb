import type { Caller, Graph, QueryContext } from '../define/context.ts';
import { StartedRun, type ToolContext } from '../define/tool.ts';
import { fingerprintOf } from '../envelope/idempotency.ts';
import type { Kernel } from '../envelope/kernel.ts';
import type { OperationRuns } from '../envelope/operation-runs.ts';
import type { RunRecord } from '../envelope/record.ts';
import { callOperation, type MountedOperation, OperationFailure } from '../envelope/run-operation.ts';
import { callView, type MountedView } from '../envelope/run-view.ts';
import type { MountedQuery } from '../graphql/compose.ts';
import type { Operations } from '../jobs/operations.ts';
import { sha256 } from '../schema/canonical.ts';
import { urlForCaller } from '../settings/kernel-settings.ts';
import type { Transaction } from '../store/store.ts';
import type { AssembledTool, MountedTool } from './assembled-tools.ts';
import type { CallDeadline } from './call-deadline.ts';
import type { ToolCall, ToolResult } from './catalog.ts';
import { followRun, startedRun } from './follow-run.ts';
import { resultOfValue } from './results.ts';
import { ToolTransactions } from './tool-transactions.ts';

/** A call whose caller, graph and arguments have been checked. */
export interface CheckedCall {
  readonly tool: AssembledTool;
  readonly caller: Caller;
  readonly graph: Graph;
  readonly input: unknown;
  /** The parameters of the operation's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Ends with the client, or at the limit of the tool. */
  readonly signal: AbortSignal;
  readonly deadline: CallDeadline;
  readonly call: ToolCall;
}

/** The services that queue and follow the runs of tools. */
interface RunServices {
  readonly operations: Operations;
  readonly runs: OperationRuns;
}

/** Calls what a tool stands for. Throws the refusals and failures of it. */
export async function callPart(
  kernel: Kernel,
  { operations, runs }: RunServices,
  checked: CheckedCall,
): Promise<ToolResult> {
  const { part } = checked.tool;
  try {
    switch (part.kind) {
      case 'operation':
        return await callOperationTool(kernel, operations, part.mounted, checked);
      case 'view':
        return await callViewTool(kernel, part.mounted, checked);
      case 'query':
        return await callQueryTool(kernel, part.mounted, checked);
      case 'tool':
        return await callWrittenTool(kernel, runs, part.mounted, checked);
    }
  } catch (error) {
    throw error instanceof OperationFailure ? error.cause : error;
  }
}

async function callOperationTool(
  kernel: Kernel,
  operations: Operations,
  mounted: MountedOperation,
  checked: CheckedCall,
): Promise<ToolResult> {
  const { caller, graph, input, params, requestId, signal, call } = checked;
  const { envelope } = await kernel.slots.operations.run(graph.id, signal, () =>
    callOperation(kernel, mounted, {
      caller,
      graph,
      input,
      params,
      requestId,
      signal,
      keyHash: keyHashOf(call),
      origin: call.origin,
      surface: call.source,
    }),
  );
  const { operationId, result, status } = envelope;
  if (status !== 'pending') return { ...resultOfValue(result, { isStructured: false }), operationId };
  if (call.runs === 'start') return startedRun(operationId, result);
  return followRun(operations, { caller, operationId, deadline: checked.deadline.limit, call });
}

async function callViewTool(kernel: Kernel, mounted: MountedView, checked: CheckedCall): Promise<ToolResult> {
  const { caller, graph, input, requestId, signal, call } = checked;
  const { result } = await kernel.slots.reads.run(graph.id, signal, () =>
    callView(kernel, mounted, { caller, graph, input, requestId, signal, keyHash: undefined, surface: call.source }),
  );
  return resultOfValue(result, { isStructured: false });
}

/** Reads a query with all of its fields, also those that GraphQL would read only if they are selected. */
async function callQueryTool(kernel: Kernel, mounted: MountedQuery, checked: CheckedCall): Promise<ToolResult> {
  const { caller, graph, input, requestId, signal, call } = checked;
  const scope = { graphId: graph.id };
  const writes: ((tx: Transaction) => Promise<void>)[] = [];
  const value = await kernel.slots.reads.run(graph.id, signal, () =>
    kernel.store.transaction(
      scope,
      async (tx) => {
        const ctx: QueryContext = {
          caller,
          graph,
          tx,
          requestId,
          signal,
          log: kernel.log,
          now: () => kernel.clock.now(),
          serviceUrl: urlForCaller(kernel.settings, call.origin),
          afterReads: (work) => void writes.push(work),
        };
        return wholeAnswer(await mounted.query.resolve({ args: input, ctx, use: mounted.use() }));
      },
      { readOnly: true },
    ),
  );
  if (writes.length > 0)
    await kernel.store.transaction(scope, async (tx) => {
      for (const write of writes) await write(tx);
    });
  return resultOfValue(value, { isStructured: false });
}

/** Calls the fields that are functions, one after the other, because they share a transaction. */
async function wholeAnswer(value: unknown): Promise<unknown> {
  if (typeof value === 'function') return wholeAnswer(await value());
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await wholeAnswer(item));
    return items;
  }
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) fields[name] = await wholeAnswer(field);
  return fields;
}

async function callWrittenTool(
  kernel: Kernel,
  runs: OperationRuns,
  mounted: MountedTool,
  checked: CheckedCall,
): Promise<ToolResult> {
  const { tool, use } = mounted;
  const { input, graph, call } = checked;
  const isWrite = tool.effect !== 'read';
  const run = runOf(kernel, checked);
  const transactions = new ToolTransactions(kernel, run, isWrite);
  const slots = isWrite ? kernel.slots.operations : kernel.slots.reads;
  try {
    const value = await slots.run(graph.id, checked.signal, () =>
      tool.handle({ input, ctx: contextOf(kernel, runs, checked, transactions), use: use() }),
    );
    await transactions.succeed(value);
    if (value instanceof StartedRun) return startedRun(value.operationId, undefined);
    return {
      ...resultOfValue(value, { isStructured: tool.output !== undefined }),
      ...(isWrite ? { operationId: run.operationId } : {}),
    };
  } catch (error) {
    await transactions.fail(error);
    if (call.signal.aborted) kernel.log.debug('a tool call was canceled', { tool: tool.name });
    throw error;
  }
}

function contextOf(
  kernel: Kernel,
  runs: OperationRuns,
  checked: CheckedCall,
  transactions: ToolTransactions,
): ToolContext {
  const { tool, caller, graph, requestId, signal, call } = checked;
  const { name, mayStartRun } = tool.listed;
  const { idempotencyKey } = call;
  return {
    caller,
    graph,
    requestId,
    signal,
    source: call.source,
    serviceUrl: urlForCaller(kernel.settings, call.origin),
    log: kernel.log,
    now: () => kernel.clock.now(),
    transaction: transactions.open,
    isStreamed: call.isStreamed === true,
    report: (message, percent) => call.progress?.(message, percent),
    startRun:
      mayStartRun && call.runs === 'start'
        ? async (input) => {
            const started = await runs.startRun({ name, caller, graph, input, requestId, idempotencyKey });
            return new StartedRun(started.operationId);
          }
        : undefined,
  };
}

function runOf(kernel: Kernel, checked: CheckedCall): RunRecord & { readonly graphId: string } {
  const startedAt = kernel.clock.now();
  return {
    operationId: kernel.ids.make('op'),
    operation: checked.tool.listed.name,
    caller: checked.caller,
    graphId: checked.graph.id,
    requestId: checked.requestId,
    surface: checked.call.source,
    startedAt,
    endedAt: startedAt,
    inputFingerprint: fingerprintOf(checked.input, {}),
    key: undefined,
    replayHours: kernel.settings.idempotency.ttlHours,
    stale: undefined,
    restoresResult: false,
    events: [],
  };
}

function keyHashOf({ idempotencyKey }: ToolCall): string | undefined {
  return idempotencyKey === undefined ? undefined : sha256(idempotencyKey);
}
