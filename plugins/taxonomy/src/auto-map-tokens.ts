import { type CollectionEntry, createCollection, createToken, type TokenUsage, type Transaction } from '@pacioli/core';
import type { ModelPrompt } from './mapping/index.ts';
import type { AutoMapResult } from './models/auto-map.ts';

/** One run of auto-map in the hands of a worker. */
export interface AutoMapWork {
  readonly graphId: string;
  readonly mappingId: string;
  readonly userId: string;
  /** The run and the request that started it; model calls are booked under them. */
  readonly operationId: string;
  readonly requestId: string;
  /** 1 for the first worker that takes the run. */
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

/** What one call of a model has said and used. */
export interface ModelAnswer {
  /** As the vendor gave it: prose and code fences around the JSON do no harm (taxonomy AM-8). */
  readonly text: string;
  /** As the vendor counted them; they are charged (taxonomy AM-2). */
  readonly usage: Omit<TokenUsage, 'model' | 'isLocal'>;
}

/**
 * The door to a language model; without one the deterministic scorer decides alone. The plugin writes the prompt, reads
 * the answer and pays for the call, so an entry only speaks with its vendor (taxonomy AM-2, AM-6 to AM-8).
 */
export interface MappingModel extends CollectionEntry {
  /** The name under which the prices of the deployment know it. */
  readonly model: string;
  /** True for a model that runs in this deployment and costs nothing. */
  readonly isLocal?: boolean;
  /** One call; it throws when the vendor does not answer, and ends early when the signal says so. */
  complete(prompt: ModelPrompt & { readonly signal: AbortSignal }): Promise<ModelAnswer>;
}

export const autoMapper = createToken<AutoMapper>('taxonomy.auto-mapper');
/** The entry with the smallest key is used; none is needed. */
export const mappingModels = createCollection<MappingModel>('taxonomy.mapping-models');
