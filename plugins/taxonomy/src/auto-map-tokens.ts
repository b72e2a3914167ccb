import { type CollectionEntry, createCollection, createToken, type Transaction } from '@pacioli/core';
import type { Candidate } from './domain/candidates.ts';
import type { AutoMapResult } from './models/auto-map.ts';
import type { UnmappedRow } from './models/rows.ts';

/** One run of auto-map in the hands of a worker. */
export interface AutoMapWork {
  readonly graphId: string;
  readonly mappingId: string;
  readonly userId: string;
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

export interface ModelProposal {
  readonly accountId: string;
  /** Null when the model sees no fitting concept. */
  readonly targetId: string | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A language model that proposes concepts; without one the deterministic scorer decides alone (taxonomy AM-6, AM-7). */
export interface MappingModel extends CollectionEntry {
  /** At most ten accounts of one trait and liquidity, with the concepts that they may have; complete answers only. */
  propose(batch: {
    readonly accounts: readonly UnmappedRow[];
    readonly candidates: readonly Candidate[];
  }): Promise<readonly ModelProposal[]>;
}

export const autoMapper = createToken<AutoMapper>('taxonomy.auto-mapper');
/** The entry with the smallest key is used; none is needed. */
export const mappingModels = createCollection<MappingModel>('taxonomy.mapping-models');
