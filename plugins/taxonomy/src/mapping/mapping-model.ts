import type { CollectionEntry, TokenUsage } from '@pacioli/core';

/** A question to a language model, with the limits of its answer (taxonomy AM-7). */
export interface ModelPrompt {
  readonly system: string;
  /** JSON with `accounts` and `candidates`. */
  readonly user: string;
  /** 0 to 2; low, because two runs over one chart should agree. */
  readonly temperature: number;
  readonly maxOutputTokens: number;
}

/** The response of one model call, with its token usage. */
export interface ModelAnswer {
  /** As the vendor returned it; prose and code fences around the JSON are tolerated (taxonomy AM-8). */
  readonly text: string;
  /** As the vendor counted them; these are charged (taxonomy AM-2). */
  readonly usage: Omit<TokenUsage, 'model' | 'isLocal'>;
}

/**
 * The port to a language model; without one, the deterministic scorer decides alone. The plugin writes the prompt,
 * parses the answer and pays for the call, so an implementation only talks to its vendor (taxonomy AM-2, AM-6 to AM-8).
 */
export interface MappingModel extends CollectionEntry {
  /** The model name in the price list of the deployment. */
  readonly model: string;
  /** True for a model that runs in this deployment and costs nothing. */
  readonly isLocal?: boolean;
  /**
   * Makes one call; throws when the vendor does not answer, and aborts with the signal. `traceparent` is the trace of the
   * caller, for the header of W3C Trace Context.
   */
  complete(prompt: ModelPrompt & { readonly signal: AbortSignal; readonly traceparent?: string }): Promise<ModelAnswer>;
}
