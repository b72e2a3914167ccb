import { type Credits, type Graphs, isServiceError, type Log, notFound, type Transaction } from '@pacioli/core';
import type { TaxonomyReads } from '../blocks/index.ts';
import { findLibraryView, type LibraryCatalog } from '../library/index.ts';
import type { AutoMapResult } from '../models/auto-map.ts';
import type { UnmappedRow } from '../models/rows.ts';
import { groupBy } from '../values/index.ts';
import { type Outcome, outcomeOf, type Proposal, proposalOf, type StopReason, stopAfter } from './auto-map-outcome.ts';
import type { AutoMapWork } from './auto-map-work.ts';
import { coverageOf } from './coverage.ts';
import type { MappingEdits } from './mapping-edits.ts';
import type { MappingModel } from './mapping-model.ts';
import { ModelCalls } from './model-calls.ts';
import { createSuggester, type Suggester, type UnmappedAccount, unmappedAccount } from './suggest.ts';

/** Maps the accounts that have no concept yet (taxonomy section 5). */
export interface AutoMapper {
  /** Throws NOT_FOUND when the mapping is not in this graph (taxonomy AM-1). */
  requireMapping(tx: Transaction, mappingId: string): Promise<void>;
  run(work: AutoMapWork): Promise<AutoMapResult>;
}

export interface AutoMapperParts {
  readonly library: LibraryCatalog;
  readonly reads: TaxonomyReads;
  readonly edits: MappingEdits;
  readonly graphs: Pick<Graphs, 'markStale'>;
  readonly models: readonly MappingModel[];
  readonly credits: Credits;
  readonly log: Log;
}

const maxBatchAccounts = 10;
const maxListedElements = 50;

/** Maps accounts in batches; each arc has its own transaction, so that an interrupted run loses nothing (AM-10). */
export function createAutoMapper(parts: AutoMapperParts): AutoMapper {
  return {
    requireMapping: async (tx, mappingId) => {
      if ((await parts.reads.mapping(tx, mappingId)) === undefined) throw notFound('Mapping not found');
    },
    run: (work) => run(work, parts),
  };
}

interface Tally {
  mapped: number;
  flagged: number;
  skipped: number;
  byModel: number;
  byScorer: number;
  /** The concept of each account mapped in this run. */
  readonly concepts: Map<string, string>;
  unclassified: readonly UnmappedRow[];
  refused: { readonly row: UnmappedRow; readonly reason: string }[];
}

async function run(work: AutoMapWork, parts: AutoMapperParts): Promise<AutoMapResult> {
  const model = await modelOf(work, parts);
  const tally: Tally = {
    mapped: 0,
    flagged: 0,
    skipped: 0,
    byModel: 0,
    byScorer: 0,
    concepts: new Map(),
    unclassified: [],
    refused: [],
  };
  let passes = 0;
  for (;;) {
    const rows = await readUnmapped(work, parts);
    if (rows.length === 0) {
      if (passes === 0) await work.report({ message: 'All elements already mapped', percent: 100 });
      return summary(work, parts, tally, passes, 'complete');
    }
    passes += 1;
    await work.report({ message: `Found ${rows.length} unmapped elements`, percent: 0 });
    const writtenBefore = tally.mapped + tally.flagged;
    await onePass(work, parts, rows, tally, model);
    const written = tally.mapped + tally.flagged - writtenBefore;
    const isExhausted = model?.isExhausted === true;
    const left = { unmappedLeft: rows.length - written, written, mayDiffer: model !== undefined, isExhausted, passes };
    const reason = stopAfter(left);
    if (reason !== undefined) return summary(work, parts, tally, passes, reason);
  }
}

/** Returns the model of the deployment, if there is one and the credits cover it (taxonomy AM-2). */
async function modelOf(work: AutoMapWork, parts: AutoMapperParts): Promise<ModelCalls | undefined> {
  const [model] = [...parts.models].sort((a, b) => (a.key < b.key ? -1 : 1));
  if (model === undefined) return undefined;
  const calls = new ModelCalls({ work, model, credits: parts.credits, log: parts.log });
  return (await calls.canStart()) ? calls : undefined;
}

async function onePass(
  work: AutoMapWork,
  parts: AutoMapperParts,
  rows: readonly UnmappedRow[],
  tally: Tally,
  model: ModelCalls | undefined,
): Promise<void> {
  // Concepts that the graph hides are not candidates, as in the query of candidates.
  const view = await work.transaction(findLibraryView, { readOnly: true });
  const suggester = createSuggester(parts.library, view);
  const classified = rows.filter((row) => suggester.classify(unmappedAccount(row)) !== undefined);
  tally.unclassified = rows.filter((row) => !classified.includes(row));
  tally.skipped = 0; // Counts the last pass only (taxonomy AM-12).
  tally.refused = [];
  let processed = 0;
  for (const batch of batchesOf(classified, model === undefined, suggester)) {
    const answers = model === undefined ? undefined : await askModel(batch, suggester, model);
    for (const row of batch) {
      const byScorer = proposalOf(suggester.suggest(accountIn(row, tally)));
      // A confident score needs no model call (taxonomy AM-6).
      const isSure = answers === undefined || outcomeOf(byScorer) === 'mapped';
      tally[isSure ? 'byScorer' : 'byModel'] += 1;
      tally[await settle(work, parts, row, isSure ? byScorer : answers.get(row.id), tally)] += 1;
    }
    processed += batch.length;
    const percent = Math.floor((processed / classified.length) * 99);
    await work.report({ message: `Processed ${processed}/${classified.length} elements`, percent });
  }
}

/** Batches in chart order; for a model, grouped by trait and liquidity, because such accounts share candidates. */
function batchesOf(
  rows: readonly UnmappedRow[],
  isOneList: boolean,
  suggester: Suggester,
): readonly (readonly UnmappedRow[])[] {
  const traitOf = (row: UnmappedRow) => suggester.classify(unmappedAccount(row))?.trait;
  const groups = isOneList ? [rows] : [...groupBy(rows, (row) => `${traitOf(row)} ${row.liquidity}`).values()];
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / maxBatchAccounts) }, (_, index) =>
      group.slice(index * maxBatchAccounts, (index + 1) * maxBatchAccounts),
    ),
  );
}

/**
 * Asks the model about the accounts of a batch for which the scorer is not confident; undefined leaves them to the
 * scorer.
 */
async function askModel(
  batch: readonly UnmappedRow[],
  suggester: Suggester,
  model: ModelCalls,
): Promise<ReadonlyMap<string, Proposal> | undefined> {
  const asked = batch.filter((row) => outcomeOf(proposalOf(suggester.suggest(unmappedAccount(row)))) !== 'mapped');
  const [first] = asked;
  if (first === undefined) return new Map();
  const account = unmappedAccount(first);
  const trait = suggester.classify(account)?.trait ?? '';
  const candidates = suggester.candidates(account, trait);
  return candidates.length === 0 ? new Map() : model.ask(asked, candidates, trait);
}

/**
 * Adds the concept that the parent was mapped to in this run, so that an interrupted and resumed run writes the same
 * arcs.
 */
function accountIn(row: UnmappedRow, { concepts }: Tally): UnmappedAccount {
  const account = unmappedAccount(row);
  if (row.parent_concept_id !== null || row.parent_id === null) return account;
  return { ...account, parentConceptId: concepts.get(row.parent_id) ?? null };
}

/** Writes the arc through the same command as a user's call; a rejected arc is skipped with the reason. */
async function settle(
  work: AutoMapWork,
  parts: AutoMapperParts,
  row: UnmappedRow,
  proposal: Proposal | undefined,
  tally: Tally,
): Promise<Outcome> {
  const outcome = outcomeOf(proposal);
  if (proposal === undefined || outcome === 'skipped') return 'skipped';
  const arc = {
    mapping_id: work.mappingId,
    from_element_id: row.id,
    to_element_id: proposal.targetId,
    confidence: proposal.confidence,
    suggested_by: 'mapping-operator',
  };
  try {
    await work.transaction(async (tx) => {
      const block = { tx, userId: work.userId, now: work.now() };
      await parts.edits.add(block, arc, outcome === 'mapped' ? 'auto' : null);
      // Marked with each arc, because a cancelled run keeps the arcs it wrote.
      await parts.graphs.markStale(tx, work.graphId, 'mapping_association_created');
    });
    tally.concepts.set(row.id, proposal.targetId);
    return outcome;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    tally.refused.push({ row, reason: error.message });
    return 'skipped';
  }
}

function readUnmapped(work: AutoMapWork, parts: AutoMapperParts): Promise<readonly UnmappedRow[]> {
  return work.transaction((tx) => parts.reads.unmapped(tx, work.mappingId), { readOnly: true });
}

async function summary(
  work: AutoMapWork,
  parts: AutoMapperParts,
  tally: Tally,
  passes: number,
  reason: StopReason,
): Promise<AutoMapResult> {
  const accounts = await work.transaction((tx) => parts.reads.coverage(tx, work.mappingId), { readOnly: true });
  const { mapped, flagged, skipped, unclassified, refused } = tally;
  const named = ({ id, code, name }: UnmappedRow) => ({ id, code, name });
  const message =
    `Mapping stopped (${reason}) after ${passes} pass(es): ${mapped} mapped, ${flagged} flagged for review, ` +
    `${skipped} skipped, ${unclassified.length} unclassified.`;
  if (passes > 0) await work.report({ message, percent: 100 });
  return {
    mapped,
    flagged,
    skipped,
    unclassified: unclassified.length,
    unclassified_elements: unclassified.slice(0, maxListedElements).map(named),
    refused_elements: refused
      .slice(0, maxListedElements)
      .map(({ row, reason: why }) => ({ ...named(row), reason: why })),
    coverage_percent: coverageOf(accounts).percent,
    passes,
    stop_reason: reason,
    engine: tally.byModel === 0 ? 'deterministic' : tally.byScorer === 0 ? 'model' : 'mixed',
    message,
  };
}
