import {
  type Credits,
  type Graph,
  type GraphAccess,
  isAttemptEnd,
  isRunCanceled,
  isServiceError,
  type RunContext,
  ServiceError,
  type ToolCatalog,
} from '@pacioli/core';
import type { LanguageModel } from '@pacioli/core/ports';
import {
  type Depth,
  depths,
  findOperator,
  type Operator,
  type OperatorAnswer,
  type OperatorContext,
} from '../catalog/index.ts';
import { MeteredModel, type Spent, spentOn } from '../metered/index.ts';
import { scriptedModel, scriptOf } from '../offline/index.ts';
import type { OperatorRequests, OperatorRunInput } from '../requests/index.ts';
import { externalLinks, RunTools, type WriteReceipt } from '../tools/index.ts';

interface RunnerServices {
  readonly operators: readonly Operator[];
  readonly model: LanguageModel;
  readonly credits: Credits;
  readonly access: GraphAccess;
  readonly catalog: ToolCatalog;
  readonly requests: OperatorRequests;
}

/** Executes the runs of operators on a worker. */
export class OperatorRunner {
  readonly #use: RunnerServices;

  constructor(use: RunnerServices) {
    this.#use = use;
  }

  /**
   * Checks the rights and the balance again, because they may have changed in the queue, and runs the operator. A failure
   * lists what was written before it, also before a pause (ai-surface 7.5).
   */
  async run(input: OperatorRunInput, ctx: RunContext): Promise<Record<string, unknown>> {
    let writes = () => keptIn(ctx).writes ?? [];
    try {
      const { graph, operator } = await this.#admitted(input, ctx);
      const run = new OperatorRun(this.#use, { input, ctx, graph, operator });
      writes = () => run.tools.writes;
      if (ctx.attempt > 1) run.ai.restore(await this.#spentBefore(ctx));
      return await this.#resultOf(run, ctx);
    } catch (error) {
      throw withWrites(error, writes());
    }
  }

  /**
   * Sums up the use of earlier attempts, so that the ceiling and the response cover all (ai-surface OP-44, OP-46). The
   * record of charges is complete after a crash, too; only what was stored at a pause has calls without a price.
   */
  async #spentBefore(ctx: RunContext): Promise<Spent> {
    const charged = spentOn(await this.#use.credits.chargedBy(ctx.operationId));
    const { spent: stored } = keptIn(ctx);
    return stored === undefined || stored.calls <= charged.calls ? charged : stored;
  }

  async #resultOf(run: OperatorRun, ctx: RunContext): Promise<Record<string, unknown>> {
    const { operator } = run;
    if (ctx.resume === undefined) {
      await ctx.announce('operator_started', { operator_type: operator.key });
      await ctx.announce('operator_initialized', { operator_name: operator.name });
    }
    const startedAt = ctx.now().getTime();
    const answer = await run.answer();
    const result = responseTo(run, answer, { seconds: (ctx.now().getTime() - startedAt) / 1_000 });
    if (answer.error?.code !== 'CANCELLED') {
      await ctx.report({ message: 'Answered.', percent: 100 });
      await ctx.announce('operator_completed', result);
    }
    return answer.isFlat === true ? { ...answer.metadata, ...result } : result;
  }

  async #admitted(
    input: OperatorRunInput,
    ctx: RunContext,
  ): Promise<{ readonly graph: Graph; readonly operator: Operator }> {
    if (ctx.graph === undefined) throw new Error('An operator runs on a graph, but its run has none.');
    this.#use.requests.requireEnabled();
    const graph = await this.#use.access.enterGraph(ctx.caller, ctx.graph.id);
    this.#use.access.requireRole(ctx.caller, graph, 'member');
    const operator = findOperator(this.#use.operators, graph, input.operator_type);
    if (operator === undefined)
      throw new ServiceError('not_found', 'NOT_FOUND', `Operator type '${input.operator_type}' not found`);
    await this.#use.requests.requireAffordable(graph, ctx.caller, operator, input.mode);
    return { graph, operator };
  }
}

/** One run of an operator, with its model calls and its writes. */
export class OperatorRun {
  readonly input: OperatorRunInput;
  readonly operator: Operator;
  readonly operationId: string;
  readonly now: () => Date;
  readonly ai: MeteredModel;
  readonly tools: RunTools;
  readonly #ctx: RunContext;
  readonly #graph: Graph;
  readonly #deadline = new AbortController();
  readonly #signal: AbortSignal;
  #isCanceled = false;

  constructor(
    use: RunnerServices,
    facts: {
      readonly input: OperatorRunInput;
      readonly ctx: RunContext;
      readonly graph: Graph;
      readonly operator: Operator;
    },
  ) {
    const { input, ctx, graph, operator } = facts;
    this.input = input;
    this.operator = operator;
    this.operationId = ctx.operationId;
    this.now = ctx.now;
    this.#ctx = ctx;
    this.#graph = graph;
    this.#signal = AbortSignal.any([ctx.signal, this.#deadline.signal]);
    const { operationId, requestId, attempt, caller } = ctx;
    const script = scriptOf(input.context);
    this.ai = new MeteredModel({
      model: script === undefined ? use.model : scriptedModel(use.model, script),
      credits: use.credits,
      facts: {
        graphId: graph.id,
        userId: caller.userId,
        operationId,
        requestId,
        attempt,
        operationType: operator.name,
      },
      profile: operator.profile ?? 'balanced',
      log: ctx.log,
    });
    this.tools = new RunTools({
      catalog: use.catalog,
      scope: { caller, graphId: graph.id },
      facts: { operationId, requestId },
      isReadOnly: operator.isReadOnly === true,
      mayWrite: () => !this.ai.isLatched,
      signal: this.#signal,
      onWrite: (write) => this.#report({ message: `Changed by ${write.operation}.`, details: { write } }),
    });
    const { writes } = keptIn(ctx);
    if (writes !== undefined) this.tools.restore(writes);
  }

  /** Runs the operator within the time of its depth. */
  async answer(): Promise<OperatorAnswer> {
    const depth = depthOf(this);
    const timer = setTimeout(() => this.#deadline.abort(new Error('The time of the run is over.')), depth.timeoutMs);
    try {
      return await this.operator.run(this.#context());
    } finally {
      clearTimeout(timer);
    }
  }

  #context(): OperatorContext {
    const { input, ai, tools } = this;
    const { caller, operationId, requestId, attempt, log, now, transaction, resume } = this.#ctx;
    return {
      graph: this.#graph,
      caller,
      operationId,
      requestId,
      attempt,
      log,
      now,
      transaction,
      ai,
      tools,
      query: input.message,
      mode: input.mode,
      depth: depthOf(this),
      history: input.history,
      extra: input.context,
      isRetrievalOn: input.is_retrieval_on,
      maxCredits: input.max_credits,
      signal: this.#signal,
      isTimeUp: () => this.#deadline.signal.aborted,
      isCanceled: () => this.#isCanceled || isRunCanceled(this.#ctx.signal.reason),
      progress: (message, percent) => this.#report({ message, percent }),
      resume: resume === undefined ? undefined : { state: resume.checkpoint, input: resume.input },
      pauseForInput: ({ prompt, schema, state }) => {
        const kept: Kept = { spent: ai.spent, writes: tools.writes };
        return this.#ctx.ask({ prompt, schema, checkpoint: { ...state, ...kept } });
      },
    };
  }

  /** Reports progress. A report of a canceled run fails, which tells of the cancellation before the signal does. */
  async #report(progress: Parameters<RunContext['report']>[0]): Promise<void> {
    try {
      await this.#ctx.report(progress);
    } catch (error) {
      this.#isCanceled ||= isRunCanceled(error);
      throw error;
    }
  }
}

/** The use and the receipts of a run, stored with its state while it waits for a person (ai-surface OP-60). */
interface Kept {
  readonly spent: Spent;
  readonly writes: readonly WriteReceipt[];
}

/** Reads the use and the receipts that `pauseForInput` stored; a run that begins has none. */
function keptIn({ resume }: Pick<RunContext, 'resume'>): Partial<Kept> {
  return resume?.checkpoint ?? {};
}

/** The error with the receipts of the writes before it, if there are any and the run has failed. */
function withWrites(error: unknown, writes: readonly WriteReceipt[]): unknown {
  if (writes.length === 0 || isAttemptEnd(error)) return error;
  const isForCallers = isServiceError(error) && error.kind !== 'internal';
  return new ServiceError(
    isForCallers ? error.kind : 'internal',
    isForCallers ? error.code : 'OPERATOR_FAILED',
    isForCallers ? error.message : 'The operator failed after it had made changes.',
    { details: { ...(isForCallers ? error.details : {}), writes }, cause: error },
  );
}

const depthOf = ({ operator, input }: Pick<OperatorRun, 'operator' | 'input'>): Depth =>
  operator.depth ?? depths[input.mode];

/** The response with the tokens and credits that the run used (ai-surface OP-46). */
function responseTo(
  { input, operator, operationId, ai, now }: OperatorRun,
  { content, confidence, metadata, error }: OperatorAnswer,
  { seconds }: { readonly seconds: number },
): Record<string, unknown> {
  const { tokens, calls, hundredths } = ai.spent;
  const { input: read, output, cacheRead, cacheWrite } = tokens;
  return {
    content,
    operator_used: operator.key,
    mode_used: input.mode,
    metadata: {
      ...metadata,
      ...input.routing,
      credits_consumed: hundredths / 100,
      call_count: calls,
      has_credit_tracking: operator.needsModel,
      external_links: externalLinks(content, input.service_url),
    },
    tokens_used: { input: read, output, cache_read: cacheRead, cache_write: cacheWrite },
    confidence_score: confidence,
    operation_id: operationId,
    is_partial: error !== undefined,
    error_details: error ?? null,
    execution_time: seconds,
    timestamp: now().toISOString(),
  };
}
