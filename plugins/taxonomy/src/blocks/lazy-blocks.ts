import type { Transaction } from '@pacioli/core';
import type { LibraryCatalog } from '../library/index.ts';
import type { LazyBlock } from '../models/taxonomy-block-envelope.ts';
import {
  libraryGraphId,
  type StoredRule,
  type TaxonomyHead,
  taxonomyType,
  taxonomyTypeNames,
} from '../vocabulary/index.ts';
import type { BlockDependant } from './dependants.ts';
import { arcFields, elementFields, headFields, ruleFields, structureFields } from './envelope.ts';
import { countAtoms, listTaxonomyHeads, readArcs, readElements, readRules, readStructures } from './read-block.ts';

export interface BlockListFilter {
  readonly taxonomyType?: string;
  readonly parentTaxonomyId?: string;
  readonly category?: string;
  /** 1 to 1,000. */
  readonly limit: number;
  readonly offset: number;
}

interface LazyParts {
  readonly library: LibraryCatalog;
  readonly dependants: readonly BlockDependant[];
}

/** One block; undefined for an unknown id and for a taxonomy that is not a block (taxonomy T-45). */
export async function findLazyBlock(tx: Transaction, id: string, parts: LazyParts): Promise<LazyBlock | undefined> {
  // A package hidden from the lists of tenants can still be read by its id (taxonomy LB-15).
  const heads = await listTaxonomyHeads(tx, { types: blockTypesOf(tx), hiddenIds: [], id, limit: 1, offset: 0 });
  return lazyBlocks(tx, heads, parts)[0];
}

/** A page of blocks; on graph `library` these are the shipped standards (taxonomy T-45). */
export async function listLazyBlocks(
  tx: Transaction,
  filter: BlockListFilter,
  parts: LazyParts,
): Promise<readonly LazyBlock[]> {
  const { category, taxonomyType: wanted, ...rest } = filter;
  const types = blockTypesOf(tx).filter(
    (name) =>
      (wanted === undefined || name === wanted) &&
      (category === undefined || taxonomyType(name)?.category === category),
  );
  const isLibrary = tx.graphId === libraryGraphId;
  const hidden = parts.library.rows.taxonomies.filter(({ isTenantVisible }) => !isLibrary && !isTenantVisible);
  const hiddenIds = hidden.map(({ id }) => id);
  return lazyBlocks(tx, await listTaxonomyHeads(tx, { ...rest, types, hiddenIds }), parts);
}

function blockTypesOf(tx: Transaction): readonly string[] {
  return tx.graphId === libraryGraphId ? ['reporting_standard'] : taxonomyTypeNames;
}

/** Reads each kind of part once for all blocks, when it is first requested (T-46). */
function lazyBlocks(tx: Transaction, heads: readonly TaxonomyHead[], parts: LazyParts): readonly LazyBlock[] {
  const ids = heads.map(({ id }) => id);
  const structures = once(() => readStructures(tx, heads));
  const elements = once(() => readElements(tx, ids));
  const arcs = once(async () => readArcs(tx, await structures()));
  const rules = once(() => readRules(tx, ids));
  const counts = once(async () => countAtoms(tx, ids, await structures()));
  return heads.map((head) => ({
    ...headFields(head),
    get elements() {
      return elements().then((all) => (all.get(head.id) ?? []).map((row) => elementFields(row, head.is_locked)));
    },
    get structures() {
      return structures().then((all) => (all.get(head.id) ?? []).map(structureFields));
    },
    get associations() {
      return arcs().then((all) => (all.get(head.id) ?? []).map(arcFields));
    },
    get rules() {
      return rules().then((all) => (all.get(head.id) ?? []).map(shownRule));
    },
    get verification_results() {
      return rules().then(async (all) => {
        const ruleIds = (all.get(head.id) ?? []).map(({ id }) => id);
        return (await Promise.all(parts.dependants.map((dependant) => dependant.results(tx, ruleIds)))).flat();
      });
    },
    get element_count() {
      return counts().then((all) => all.elements.get(head.id) ?? 0);
    },
    get structure_count() {
      return structures().then((all) => all.get(head.id)?.length ?? 0);
    },
    get association_count() {
      return counts().then((all) => all.arcs.get(head.id) ?? 0);
    },
  }));
}

function shownRule(rule: StoredRule) {
  const { rule_check_kind, rule_pattern, ...shown } = ruleFields(rule);
  return { ...shown, rule_pattern: rule_pattern ?? rule_check_kind ?? '' };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    started ??= read();
    return started;
  };
}
