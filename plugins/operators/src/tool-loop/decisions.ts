import type { ModelAnswer, ModelBlock, ModelMessage } from '@pacioli/core/ports';
import { tokensOf } from '../metered/index.ts';

/** The most turns of a run that do not count against its cap because all of their calls failed (ai-surface 7.5). */
export const maxFreeTurns = 2;
/** The most tools that a model may ask for in one turn; the rest is refused. */
export const maxCallsPerTurn = 16;
const maxResultLength = 12_000;
const maxOrientationLength = 48_000;

/** The tools whose results describe the graph; they are fetched once, and are not offered (ai-surface 7.5). */
export const orientationTools: readonly string[] = ['get-graph-schema', 'get-example-queries'];

/** The state of a tool loop: its transcript and its counts. */
export interface LoopState {
  readonly messages: readonly ModelMessage[];
  /** Turns that count against the cap. */
  readonly turns: number;
  readonly freeTurns: number;
  /** Model calls. */
  readonly iterations: number;
  readonly succeededCalls: number;
  readonly failedCalls: number;
  /** The last non-empty rows of a statement, and the statement (ai-surface OP-30). */
  readonly rows?: readonly unknown[];
  readonly cypher?: string;
  /** A person has declined the writes of this run. */
  readonly isDeclined?: true;
}

export type ToolUse = Extract<ModelBlock, { type: 'tool_use' }>;

/** The limits of a loop. */
export interface LoopLimits {
  readonly maxTurns: number;
  readonly maxInputTokens: number;
  readonly maxHundredths: number | undefined;
}

/** The facts about a run that its transcript does not have. */
export interface TurnFacts {
  readonly isCanceled: boolean;
  readonly isLatched: boolean;
  readonly spentHundredths: number;
}

/** The next step of a loop. */
export type Step =
  | { readonly kind: 'call' }
  /** One more call, which asks the model to answer now. */
  | { readonly kind: 'last-call'; readonly because: 'steps' | 'credits' | 'input' }
  | { readonly kind: 'stop'; readonly because: 'canceled' | 'latched' };

/** Decides the next step (ai-surface 7.5): cancel, then credits, then the caps. */
export function nextStep(state: LoopState, limits: LoopLimits, facts: TurnFacts): Step {
  if (facts.isCanceled) return { kind: 'stop', because: 'canceled' };
  if (facts.isLatched) return { kind: 'stop', because: 'latched' };
  const { maxHundredths } = limits;
  // The ceiling is soft: it never prevents the first call (ai-surface OP-44).
  if (state.iterations > 0 && maxHundredths !== undefined && facts.spentHundredths >= maxHundredths)
    return { kind: 'last-call', because: 'credits' };
  if (state.turns >= limits.maxTurns) return { kind: 'last-call', because: 'steps' };
  if (state.iterations > 0 && transcriptTokens(state) > limits.maxInputTokens)
    return { kind: 'last-call', because: 'input' };
  return { kind: 'call' };
}

export function transcriptTokens({ messages }: Pick<LoopState, 'messages'>): number {
  return tokensOf(JSON.stringify(messages));
}

/** The text of an answer; empty if it has none. */
export function textOf(answer: Pick<ModelAnswer, 'content'>): string {
  return answer.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
}

/** The tools that an answer asks for. */
export function toolUsesOf(answer: Pick<ModelAnswer, 'content'>): readonly ToolUse[] {
  return answer.content.filter((block): block is ToolUse => block.type === 'tool_use');
}

/** The result of one tool of a turn. */
export interface TurnResult {
  readonly use: ToolUse;
  readonly text: string;
  readonly isError: boolean;
  readonly rows?: readonly unknown[];
}

/** Adds the answer of the model to the transcript. */
export function withAnswer(state: LoopState, answer: Pick<ModelAnswer, 'content'>): LoopState {
  return {
    ...state,
    iterations: state.iterations + 1,
    messages: [...state.messages, { role: 'assistant', content: answer.content }],
  };
}

/** Adds the results of a turn, and counts it unless all of its calls failed and a free turn is left. */
export function withResults(state: LoopState, results: readonly TurnResult[]): LoopState {
  const failed = results.filter(({ isError }) => isError).length;
  const isFree = failed === results.length && state.freeTurns < maxFreeTurns;
  const last = results.findLast(({ use, isError, rows }) => use.name === cypherTool && !isError && rows?.length);
  const cypher = last === undefined ? undefined : queryIn(last.use.input);
  return {
    ...state,
    messages: [...state.messages, { role: 'user', content: results.map(blockOf) }],
    turns: state.turns + (isFree ? 0 : 1),
    freeTurns: state.freeTurns + (isFree ? 1 : 0),
    succeededCalls: state.succeededCalls + results.length - failed,
    failedCalls: state.failedCalls + failed,
    ...(last?.rows === undefined ? {} : { rows: last.rows }),
    ...(cypher === undefined ? {} : { cypher }),
  };
}

export const cypherTool = 'read-graph-cypher';

function queryIn(input: unknown): string | undefined {
  const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : undefined;
  return typeof query === 'string' ? query : undefined;
}

function blockOf({ use, text, isError }: TurnResult): ModelBlock {
  return { type: 'tool_result', toolUseId: use.id, name: use.name, text: cutResult(use.name, text), isError };
}

/** Cuts a result to the length that a model gets. */
export function cutResult(tool: string, text: string): string {
  const most = orientationTools.includes(tool) ? maxOrientationLength : maxResultLength;
  return text.length <= most ? text : `${text.slice(0, most)}\n… [truncated; ${text.length} chars total]`;
}

/** The outcome of a loop: an answer of the model, a limit, a cancellation or a failure. */
export type Ending = 'answered' | 'limit' | 'canceled' | 'failed';

/** The confidence of an answer (ai-surface OP-31). */
export function confidenceOf(state: LoopState, ending: Ending): number {
  if (ending === 'canceled') return 0;
  if (state.succeededCalls === 0 && state.failedCalls > 0) return 0.2;
  if (ending === 'failed') return 0.2;
  if (ending === 'limit') return 0.5;
  return state.succeededCalls > 0 ? 0.9 : 0.7;
}

const omitted = '[omitted; the transcript is too long]';

/** Replaces the oldest results by a note until the transcript is within the limit, so that a last call fits. */
export function shortened(messages: readonly ModelMessage[], maxInputTokens: number): readonly ModelMessage[] {
  let tokens = tokensOf(JSON.stringify(messages));
  return messages.map((message) => {
    if (tokens <= maxInputTokens) return message;
    const content = message.content.map((block) => {
      if (tokens <= maxInputTokens || block.type !== 'tool_result' || block.text.length <= omitted.length) return block;
      tokens -= tokensOf(block.text) - tokensOf(omitted);
      return { ...block, text: omitted };
    });
    return { ...message, content };
  });
}

/** The percentage of the progress before a turn (ai-surface OP-50). */
export function percentOf(turn: number, maxTurns: number): number {
  return Math.min(85, Math.floor(20 + turn * (60 / maxTurns)));
}
