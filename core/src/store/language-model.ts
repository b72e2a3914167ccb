/** A tool that the model may ask for; `inputSchema` is JSON Schema. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export type ModelBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
    };

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ModelBlock[];
}

/** Tokens of one call, as the provider counts them or else by an estimate (ai-surface OP-40). */
export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ModelRequest {
  /** A name of `models()`. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly signal: AbortSignal;
  /** The trace of the caller in the form of W3C Trace Context, for a header of that name (ai-surface M-20g). */
  readonly traceparent?: string;
}

export interface ModelAnswer {
  readonly content: readonly ModelBlock[];
  readonly stopReason: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';
  readonly usage: ModelUsage;
  /** The provider did not report all of the tokens, so that some are estimated. */
  readonly isUsageEstimated?: true;
  readonly model: string;
}

export interface ModelFacts {
  readonly name: string;
  /** The profile that it serves (ai-surface OP-70). */
  readonly profile: ModelProfile;
  /** Its price in US cents per million tokens; without one, the price list of the deployment must have the model. */
  readonly price?: {
    readonly inputCents: number;
    readonly outputCents: number;
    readonly cachedInputCents?: number;
    readonly cacheWriteCents?: number;
  };
}

/** The class of a model by capability and cost (ai-surface OP-70). */
export type ModelProfile = 'economy' | 'balanced' | 'quality';

/** A provider of language models (ai-surface 7.9). Fails with a `LanguageModelError`. */
export interface LanguageModel {
  readonly id: string;
  models(): readonly ModelFacts[];
  createMessage(request: ModelRequest): Promise<ModelAnswer>;
}

/** A call that failed; `isTransient` if a later one may succeed. */
export class LanguageModelError extends Error {
  override readonly name = 'LanguageModelError';
  readonly isTransient: boolean;

  constructor(message: string, options: { readonly isTransient: boolean; readonly cause?: unknown }) {
    super(message, options);
    this.isTransient = options.isTransient;
  }
}
