import type { Caller, CollectionEntry, Graph, Log, Transaction } from '@pacioli/core';
import type { ModelProfile } from '@pacioli/core/ports';
import type { MeteredModel } from '../metered/index.ts';
import type { RunTools } from '../tools/index.ts';
import type { Depth, OperatorMode } from './depth.ts';

/** The abilities that a request can ask for (ai-surface OP-1). */
export const capabilities = [
  'financial_analysis',
  'deep_research',
  'compliance',
  'rag_search',
  'entity_analysis',
  'trend_analysis',
  'custom',
] as const;

export type Capability = (typeof capabilities)[number];

/** The form of an operator's type, which is the key of its entry (ai-surface 7.1). */
export const operatorTypeForm = /^[a-zA-Z][a-zA-Z0-9_]{2,32}$/;

/** A question for which an operator is chosen. */
export interface Question {
  readonly query: string;
  readonly mode: OperatorMode;
}

/**
 * An AI operator: facts by which it is listed and chosen, and a run without state of its own (ai-surface 7). The key of
 * the entry is its type.
 */
export interface Operator extends CollectionEntry {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly author?: string;
  readonly tags?: readonly string[];
  readonly capabilities: readonly Capability[];
  /** From the shallowest to the deepest; a request for another mode gets the deepest. */
  readonly modes: readonly OperatorMode[];
  /** Former types by which requests still reach it. */
  readonly aliases?: readonly string[];
  /** True if it writes nothing: it gets no tool that writes, and may be repeated after a crash (ai-surface OP-53). */
  readonly isReadOnly?: true;
  /** False if it works without a language model; then it costs nothing. */
  readonly needsModel: boolean;
  /** The model that it uses; `balanced` by default (ai-surface OP-70). */
  readonly profile?: ModelProfile;
  /** Its limits in any mode, instead of those of the mode. */
  readonly depth?: Depth;
  /** Tokens of its first prompt that a provider may store in its cache, for the estimate of OP-41. */
  readonly coldStartTokens?: number;
  /** True if it works on this graph; elsewhere it does not exist. */
  fits(graph: Graph): boolean;
  /** How well it fits a question, from 0 to 1 (ai-surface OP-20); an operator without it is chosen only by its type. */
  canHandle?(question: Question): number;
  run(ctx: OperatorContext): Promise<OperatorAnswer>;
}

export interface HistoryMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** The request, the rights and the services of one run of an operator. */
export interface OperatorContext {
  readonly graph: Graph;
  readonly caller: Caller;
  readonly operationId: string;
  readonly requestId: string;
  readonly attempt: number;
  readonly query: string;
  readonly mode: OperatorMode;
  readonly depth: Depth;
  readonly history: readonly HistoryMessage[];
  /** `context` of the request. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** False if the request wants no memories and documents in the first prompt (ai-surface OP-14). */
  readonly isRetrievalOn: boolean;
  /** The credits after which no further step starts (ai-surface OP-44). */
  readonly maxCredits: number | undefined;
  /** Aborted when the run was canceled, took too long, or its worker stops. */
  readonly signal: AbortSignal;
  readonly log: Log;
  now(): Date;
  /** True once the run has taken longer than `depth.timeoutMs`. */
  isTimeUp(): boolean;
  /** True once the run was canceled. */
  isCanceled(): boolean;
  /** Makes model calls, each charged to the credits of the graph. */
  readonly ai: MeteredModel;
  /** The tools of this graph for this caller, and a receipt of each write. */
  readonly tools: RunTools;
  progress(message: string, percent: number): Promise<void>;
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { readonly readOnly?: boolean }): Promise<T>;
  /** The state that `pauseForInput` stored and the answer of the person; undefined for a run that begins. */
  readonly resume: { readonly state: Readonly<Record<string, unknown>>; readonly input: unknown } | undefined;
  /**
   * Ends this attempt until a person answers, at most seven days (ai-surface OP-60). The receipts and the use of the run
   * are stored with the state, as `writes` and `spent`, and are restored before the run continues.
   */
  pauseForInput(question: {
    readonly prompt: string;
    readonly schema: Readonly<Record<string, unknown>>;
    readonly state: Readonly<Record<string, unknown>>;
  }): Promise<never>;
}

/** The reason for which a run that produced an answer stopped early (ai-surface OP-13). */
export interface AnswerError {
  readonly code: 'INSUFFICIENT_CREDITS' | 'TIMEOUT' | 'CANCELLED' | 'PROVIDER_ERROR';
  readonly message: string;
}

export interface OperatorAnswer {
  /** Markdown. */
  readonly content: string;
  readonly confidence: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly error?: AnswerError;
  /** True if its metadata are also fields of the result in the status of the operation (ai-surface OP-51). */
  readonly isFlat?: true;
}
