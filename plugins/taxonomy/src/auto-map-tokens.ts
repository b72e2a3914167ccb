import { type CollectionEntry, createCollection, createToken, type TokenUsage, type Transaction } from '@pacioli/core';
import type { ModelPrompt } from './mapping/model-prompt.ts';
import type { AutoMapResult } from './models/auto-map.ts';

/** One auto-map run as a worker executes it. */
export interface AutoMapWork {
  readonly graphId: string;
  readonly mappingId: string;
  readonly userId: string;
  /** The run and the request that started it; model calls are charged to them. */
  readonly operationId: string;
  readonly requestId: string;
  /** 1 for the first worker that executes the run. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  now(): Date;
  /** Throws when the run was cancelled, before anything is read or written. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { readonly readOnly?: boolean }): Promise<T>;
  report(progress: { readonly message: string; readonly percent: number }): Promise<void>;
}

/** Maps the accounts that have no concept yet (taxonomy section 5). */
export interface AutoMapper {
  /** Throws NOT_FOUND when the mapping is not in this graph (taxonomy AM-1). */
  requireMapping(tx: Transaction, mappingId: string): Promise<void>;
  run(work: AutoMapWork): Promise<AutoMapResult>;
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
  /** Makes one call; throws when the vendor does not answer, and aborts with the signal. */
  complete(prompt: ModelPrompt & { readonly signal: AbortSignal }): Promise<ModelAnswer>;
}

export const autoMapper = createToken<AutoMapper>('taxonomy.auto-mapper');
/** The entry with the smallest key is used; the collection may be empty. */
export const mappingModels = createCollection<MappingModel>('taxonomy.mapping-models');
