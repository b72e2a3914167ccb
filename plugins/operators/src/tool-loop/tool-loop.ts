import { isServiceError, type ListedTool } from '@pacioli/core';
import type { ModelMessage, ModelTool } from '@pacioli/core/ports';
import type { AnswerError, OperatorAnswer, OperatorContext } from '../catalog/index.ts';
import { ProviderFailure } from '../metered/index.ts';
import { approvalQuestion, noWrites, plannedWrites, unshownWrites } from './approval.ts';
import {
  confidenceOf,
  type Ending,
  type LoopState,
  nextStep,
  percentOf,
  shortened,
  textOf,
  toolUsesOf,
  transcriptTokens,
  withAnswer,
} from './decisions.ts';
import { pausedState, resumedState } from './paused-state.ts';
import { declinedResults, executeTurn } from './turn.ts';

/** The prompt and the tools of an operator that answers by the loop. */
export interface LoopPlan {
  readonly system: string;
  /** The first turns: the history and the question. */
  readonly messages: readonly ModelMessage[];
  /** Chooses the tools that are offered. */
  readonly choose: (tool: ListedTool) => boolean;
  /** True if a person approves the writes of each turn before they are made (ai-surface OP-62). */
  readonly confirmsWrites: boolean;
}

const canceledText = 'Cancelled before an answer was reached.';
const noAnswerText = 'The operator gathered results but no final answer.';
const answerNow =
  'Stop here and answer the question now, from the results so far. Say what is missing. Do not ask for tools.';

interface LoopEnd {
  readonly state: LoopState;
  readonly content: string;
  readonly ending: Ending;
  readonly error?: AnswerError;
  readonly flags?: Readonly<Record<string, unknown>>;
}

const started: Omit<LoopState, 'messages'> = {
  turns: 0,
  freeTurns: 0,
  iterations: 0,
  succeededCalls: 0,
  failedCalls: 0,
};

/** Answers a question by model calls and tool calls in turn, within the limits of the run (ai-surface 7.5). */
export async function runToolLoop(ctx: OperatorContext, plan: LoopPlan): Promise<OperatorAnswer> {
  const resumed = resumedState(ctx);
  let state: LoopState = resumed?.state ?? { ...started, messages: plan.messages };
  const chooses = (tool: ListedTool): boolean =>
    plan.choose(tool) && (state.isDeclined !== true || tool.effect === 'read');
  try {
    let offered = await ctx.tools.offer(chooses);
    if (resumed !== undefined) {
      const { uses } = resumed;
      state =
        state.isDeclined === true
          ? declinedResults(state, resumed)
          : await executeTurn(ctx, state, { uses, refused: unshownWrites(ctx, resumed) });
    }
    for (;;) {
      if (state.isDeclined === true) offered = await ctx.tools.offer(chooses);
      if (!ctx.isCanceled()) ctx.signal.throwIfAborted();
      const step = nextStep(state, limitsOf(ctx), {
        isCanceled: ctx.isCanceled(),
        isLatched: ctx.ai.isLatched,
        spentHundredths: ctx.ai.spent.hundredths,
      });
      if (step.kind === 'stop') return answerOf(ctx, stopped(state, step.because));
      await ctx.progress(progressText(state), percentOf(state.turns, ctx.depth.maxTurns));
      if (step.kind === 'last-call') return answerOf(ctx, await lastCall(ctx, plan, state, step.because));
      const answer = await ctx.ai.call({ ...requestOf(ctx, plan, state), tools: offered.map(modelTool) });
      state = withAnswer(state, answer);
      const uses = toolUsesOf(answer);
      const text = textOf(answer);
      // A turn that could not be paid for has no tool calls, but its text is the answer (ai-surface OP-43).
      if (uses.length === 0 || ctx.ai.isLatched) return answerOf(ctx, answered(state, text, ctx.ai.isLatched));
      const planned = plan.confirmsWrites ? plannedWrites(ctx, uses) : noWrites;
      if (planned.writes.length > 0 && planned.refused.size === 0)
        await ctx.pauseForInput({
          ...approvalQuestion(planned.writes),
          state: pausedState(state, uses, planned.writes),
        });
      state = await executeTurn(ctx, state, { uses, refused: planned.refused });
    }
  } catch (error) {
    return answerOf(ctx, failed(ctx, state, error));
  }
}

const limitsOf = ({ depth, maxCredits }: OperatorContext) => ({
  maxTurns: depth.maxTurns,
  maxInputTokens: depth.maxInputTokens,
  maxHundredths: maxCredits === undefined ? undefined : Math.round(maxCredits * 100),
});

const requestOf = (ctx: OperatorContext, plan: LoopPlan, { messages }: LoopState) => ({
  system: plan.system,
  messages,
  maxTokens: ctx.depth.maxOutputTokens,
  signal: ctx.signal,
});

const modelTool = ({ name, description, inputSchema }: ListedTool): ModelTool => ({ name, description, inputSchema });

const progressText = ({ iterations }: LoopState): string =>
  iterations === 0 ? 'Thinking...' : `Working (step ${iterations + 1})...`;

/** One call without tools: a stray request for one is not executed (ai-surface 7.5). */
async function lastCall(
  ctx: OperatorContext,
  plan: LoopPlan,
  state: LoopState,
  because: 'steps' | 'credits' | 'input',
): Promise<LoopEnd> {
  const { maxInputTokens } = ctx.depth;
  const asked: ModelMessage = { role: 'user', content: [{ type: 'text', text: answerNow }] };
  const fitting = transcriptTokens(state) > maxInputTokens ? shortened(state.messages, maxInputTokens) : state.messages;
  const answer = await ctx.ai.call({ ...requestOf(ctx, plan, state), messages: [...fitting, asked], tools: [] });
  return {
    state: withAnswer({ ...state, messages: [...fitting, asked] }, answer),
    content: textOf(answer) || noAnswerText,
    ending: 'limit',
    flags: { hit_step_limit: because !== 'credits', hit_credit_ceiling: because === 'credits' },
    ...(ctx.ai.isLatched ? { error: outOfCredits } : {}),
  };
}

const outOfCredits: AnswerError = {
  code: 'INSUFFICIENT_CREDITS',
  message: 'Credits exhausted. Wait for the next monthly allocation or change the tier.',
};

function answered(state: LoopState, text: string, isLatched: boolean): LoopEnd {
  const content = text || noAnswerText;
  return isLatched
    ? { state, content, ending: 'limit', error: outOfCredits }
    : { state, content, ending: text === '' ? 'failed' : 'answered' };
}

function stopped(state: LoopState, because: 'canceled' | 'latched'): LoopEnd {
  if (because === 'canceled') return canceled(state);
  return { state, content: noAnswerText, ending: 'limit', error: outOfCredits };
}

const canceled = (state: LoopState): LoopEnd => ({
  state,
  content: canceledText,
  ending: 'canceled',
  error: { code: 'CANCELLED', message: canceledText },
  flags: { cancelled: true },
});

/** The answer after an error that ends a loop early (ai-surface OP-13). Throws all other errors again. */
function failed(ctx: OperatorContext, state: LoopState, error: unknown): LoopEnd {
  if (error instanceof ProviderFailure)
    return {
      state,
      content: noAnswerText,
      ending: 'failed',
      error: { code: 'PROVIDER_ERROR', message: error.message },
    };
  if (isServiceError(error) && error.code === 'INSUFFICIENT_CREDITS' && state.iterations > 0)
    return { state, content: noAnswerText, ending: 'limit', error: { ...outOfCredits, message: error.message } };
  if (ctx.isTimeUp()) {
    const message = `The run took longer than ${ctx.depth.timeoutMs / 1_000} seconds.`;
    return { state, content: noAnswerText, ending: 'failed', error: { code: 'TIMEOUT', message } };
  }
  if (ctx.isCanceled()) return canceled(state);
  throw error;
}

function answerOf(ctx: OperatorContext, { state, content, ending, error, flags }: LoopEnd): OperatorAnswer {
  return {
    content,
    confidence: confidenceOf(state, ending),
    metadata: {
      ...(state.rows === undefined ? {} : { rows: state.rows }),
      ...(state.cypher === undefined ? {} : { cypher: state.cypher }),
      result_count: state.rows?.length ?? 0,
      hit_step_limit: false,
      hit_credit_ceiling: false,
      loop_iterations: state.iterations,
      ...flags,
      ...(ctx.tools.writes.length === 0 ? {} : { writes: ctx.tools.writes }),
    },
    ...(error === undefined ? {} : { error }),
  };
}
