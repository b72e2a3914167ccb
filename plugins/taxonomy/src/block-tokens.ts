import { type CollectionEntry, createCollection, createToken, type Transaction } from '@pacioli/core';
import type { StructuralResult } from './blocks/structural-checks.ts';
import type { AssociationAnswer, NewMappingAssociation } from './models/associations.ts';
import type { ConnectionPart, ElementPart, StructurePart, StructurePartFilter } from './models/structure-parts.ts';
import type { BlockEnvelope, LazyBlock } from './models/taxonomy-block-envelope.ts';
import type {
  CreateBlockRequest,
  DeleteBlockAnswer,
  DeleteBlockRequest,
  UpdateBlockRequest,
} from './models/taxonomy-block-requests.ts';
import type { TaxonomyRule as StoredRule } from './rows.gen.ts';

export interface MonthSpan {
  readonly count: number;
  /** `YYYY-MM`. */
  readonly first: string;
  readonly last: string;
}

/** Knowledge of the owner of journal lines and facts about elements; consulted before elements or arcs change. */
export interface ElementGuard extends CollectionEntry {
  /** Returns the elements that have journal lines or facts and can therefore only be retired. */
  used(tx: Transaction, elementIds: readonly string[]): Promise<readonly string[]>;
  /** The closed months that a change of these accounts would affect; undefined when there are none (taxonomy T-40). */
  closedMonths(tx: Transaction, elementIds: readonly string[]): Promise<MonthSpan | undefined>;
  /**
   * Blocks the closing of months until the transaction ends, so that the state that was checked cannot change (taxonomy
   * T-40).
   */
  lockHistory?(tx: Transaction): Promise<void>;
  /**
   * Returns the structures that a plugin keeps as information blocks: they are deleted only with their block, and the
   * checks of a taxonomy exclude them.
   */
  usedStructures?(tx: Transaction, structureIds: readonly string[]): Promise<readonly string[]>;
}

/**
 * Notified in the same transaction when a chart was created through a block, so that an entity can be linked (T-28).
 */
export interface ChartListener extends CollectionEntry {
  created(args: {
    readonly tx: Transaction;
    readonly taxonomyId: string;
    readonly userId: string;
    readonly now: Date;
  }): Promise<void>;
}

/** Elements and structures about to be deleted. */
export interface BlockAtoms {
  readonly elementIds: readonly string[];
  readonly structureIds: readonly string[];
}

/** Sets of facts that must not be deleted: their number and the months they cover (taxonomy T-40). */
export interface ProtectedSets extends MonthSpan {
  /** True when a filed or archived report contains one of them, so that reopening does not release them. */
  readonly isFiled?: boolean;
}

/** Knowledge and duties of the owner of facts and verification results when a block changes or is deleted. */
export interface BlockDependant extends CollectionEntry {
  /** Returns the elements that have live facts (taxonomy T-31). */
  elementsWithFacts(tx: Transaction, elementIds: readonly string[]): Promise<readonly string[]>;
  /** Counts the live facts of the elements and structures (taxonomy T-37). */
  countFacts(tx: Transaction, atoms: BlockAtoms): Promise<number>;
  /** Filed reports and closed statements that the deletion would destroy; undefined for none (T-40). */
  protectedSets(tx: Transaction, atoms: BlockAtoms): Promise<ProtectedSets | undefined>;
  /** Closed statements with facts on the elements, which a change of balance side would falsify (taxonomy T-40). */
  closedSets?(tx: Transaction, elementIds: readonly string[]): Promise<ProtectedSets | undefined>;
  /** Deletes the facts of the elements and structures, and returns their number. */
  removeFacts(tx: Transaction, atoms: BlockAtoms): Promise<number>;
  /** Deletes the verification results of deleted rules (taxonomy T-38, M-11). */
  removeResults(tx: Transaction, ruleIds: readonly string[]): Promise<void>;
  /** The stored verification results of a taxonomy's rules, newest first, at most 1,000. */
  results(tx: Transaction, ruleIds: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Knowledge of the owner of entities about the taxonomies linked to them. */
export interface EntityLinks extends CollectionEntry {
  /** The taxonomy of the primary link of basis `reporting`; undefined without one (taxonomy LB-17). */
  reportingTaxonomyId(tx: Transaction): Promise<string | undefined>;
  /** The taxonomy of the primary link of basis `chart_of_accounts`; undefined without one (taxonomy T-28). */
  primaryChartId(tx: Transaction): Promise<string | undefined>;
  /** Removes the links to deleted taxonomies; returns whether one of them was a primary chart (taxonomy T-38, T-39). */
  unlink(tx: Transaction, taxonomyIds: readonly string[]): Promise<{ readonly wasPrimaryChart: boolean }>;
}

/** A rule in the form that the rule engine evaluates. */
export interface TaxonomyRule
  extends Pick<StoredRule, 'id' | 'name' | 'description' | 'expression' | 'severity' | 'origin' | 'message'> {
  readonly taxonomyId: StoredRule['taxonomy_id'];
  readonly structureId: StoredRule['structure_id'];
  readonly category: StoredRule['rule_category'];
  /** Null for a structural check. */
  readonly pattern: StoredRule['rule_pattern'];
  readonly checkKind: StoredRule['rule_check_kind'];
  /** `variable_name` and `variable_qname`, with any other fields that the author sent for the variable. */
  readonly variables: readonly Readonly<Record<string, unknown>>[];
  readonly targetKind: StoredRule['target_kind'];
  readonly targetId: StoredRule['target_id'];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Rules of taxonomies: the graph's own and those of the shipped library. */
export interface TaxonomyRules {
  /** The rules about any of these structures, elements, arcs or taxonomies, by name, at most 20,000. One statement. */
  ofTargets(tx: Transaction, targetIds: readonly string[]): Promise<readonly TaxonomyRule[]>;
}

/** Structural checks over stored atoms (taxonomy section 6). */
export interface StructuralChecks {
  /**
   * Evaluates every structural rule of a taxonomy of the graph or the library; undefined when the id is not a block.
   */
  evaluate(tx: Transaction, taxonomyId: string): Promise<readonly StructuralResult[] | undefined>;
}

export const blockDependants = createCollection<BlockDependant>('taxonomy.block-dependants');
export const entityLinks = createCollection<EntityLinks>('taxonomy.entity-links');
export const taxonomyRules = createToken<TaxonomyRules>('taxonomy.rules');
export const structuralChecks = createToken<StructuralChecks>('taxonomy.structural-checks');
export const elementGuards = createCollection<ElementGuard>('taxonomy.element-guards');
export const chartListeners = createCollection<ChartListener>('taxonomy.chart-listeners');

/** Writes and reads of taxonomy blocks, for this plugin's operations and queries. */
export interface TaxonomyBlocks {
  create(work: BlockWork, request: CreateBlockRequest): Promise<BlockEnvelope>;
  update(work: BlockWork, request: UpdateBlockRequest): Promise<BlockEnvelope>;
  remove(work: BlockWork, request: DeleteBlockRequest): Promise<DeleteBlockAnswer>;
  /** One block with lazily read lists; undefined for a taxonomy that is not a block (taxonomy T-45). */
  find(tx: Transaction, taxonomyId: string): Promise<LazyBlock | undefined>;
  /** A page of blocks, the graph's own first; each kind of atom is read for the whole page at once (T-46). */
  list(tx: Transaction, filter: BlockListFilter): Promise<readonly LazyBlock[]>;
}

export interface BlockListFilter {
  readonly taxonomyType?: string;
  readonly parentTaxonomyId?: string;
  readonly category?: string;
  /** 1 to 1,000. */
  readonly limit: number;
  readonly offset: number;
}

/** The author, time and transaction of a write. */
export interface BlockWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly now: Date;
}

export interface MappingEdits {
  /** Adds one arc after the checks of taxonomy 4.2; approved by the caller by default, by nobody when null. */
  add(work: BlockWork, request: NewMappingAssociation, approvedBy?: string | null): Promise<AssociationAnswer>;
  remove(work: BlockWork, mappingId: string, associationId: string): Promise<void>;
}

export const taxonomyBlocks = createToken<TaxonomyBlocks>('taxonomy.blocks');
export const mappingEdits = createToken<MappingEdits>('taxonomy.mapping-edits');

/** The parts of an information block; each method is one statement for any number of ids. */
export interface StructureParts {
  find(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, StructurePart>>;
  list(tx: Transaction, filter: StructurePartFilter): Promise<readonly StructurePart[]>;
  connections(tx: Transaction, structureIds: readonly string[]): Promise<readonly ConnectionPart[]>;
  elements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ElementPart>>;
  elementIdsByQname(tx: Transaction, qnames: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export const structureParts = createToken<StructureParts>('taxonomy.structure-parts');
