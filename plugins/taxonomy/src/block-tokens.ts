import { type CollectionEntry, createCollection, createToken, type Transaction } from '@pacioli/core';
import type { StructuralResult } from './blocks/index.ts';
import type { AssociationAnswer, NewMappingAssociation } from './models/associations.ts';
import type { ConnectionPart, ElementPart, StructurePart, StructurePartFilter } from './models/structure-parts.ts';
import type { BlockEnvelope, LazyBlock } from './models/taxonomy-block-envelope.ts';
import type {
  CreateBlockRequest,
  DeleteBlockAnswer,
  DeleteBlockRequest,
  UpdateBlockRequest,
} from './models/taxonomy-block-requests.ts';

export interface MonthSpan {
  readonly count: number;
  /** `YYYY-MM`. */
  readonly first: string;
  readonly last: string;
}

/** What the owner of journal lines and facts knows about elements; asked before elements or arcs change. */
export interface ElementGuard extends CollectionEntry {
  /** Those of the elements that have journal lines or facts, so that they can only be retired. */
  used(tx: Transaction, elementIds: readonly string[]): Promise<readonly string[]>;
  /** The closed months that a change of these accounts would disturb; undefined when there are none (taxonomy T-40). */
  closedMonths(tx: Transaction, elementIds: readonly string[]): Promise<MonthSpan | undefined>;
  /** Holds off the closing of months until the transaction ends, so that what was looked at stays so (taxonomy T-40). */
  holdHistory?(tx: Transaction): Promise<void>;
  /**
   * Those of the structures that a plugin keeps as information blocks: they go only with their block, and the checks of a
   * taxonomy leave them out.
   */
  usedStructures?(tx: Transaction, structureIds: readonly string[]): Promise<readonly string[]>;
}

/** Told in the same transaction when a chart was made through a block, so that an entity can be linked (T-28). */
export interface ChartListener extends CollectionEntry {
  created(args: {
    readonly tx: Transaction;
    readonly taxonomyId: string;
    readonly userId: string;
    readonly now: Date;
  }): Promise<void>;
}

/** Elements and structures that are about to go. */
export interface BlockAtoms {
  readonly elementIds: readonly string[];
  readonly structureIds: readonly string[];
}

/** Sets of facts that nobody may destroy: how many, and the months that they cover (taxonomy T-40). */
export interface ProtectedSets extends MonthSpan {
  /** True when a report that is filed or archived has one of them: no reopening sets those free. */
  readonly isFiled?: boolean;
}

/** What the owner of facts and of verification results knows and does when a block changes or goes. */
export interface BlockDependant extends CollectionEntry {
  /** Those of the elements on which live facts stand (taxonomy T-31). */
  elementsWithFacts(tx: Transaction, elementIds: readonly string[]): Promise<readonly string[]>;
  /** How many live facts stand on the atoms (taxonomy T-37). */
  countFacts(tx: Transaction, atoms: BlockAtoms): Promise<number>;
  /** Filed reports and closed statements that would be destroyed with the atoms; undefined for none (T-40). */
  protectedSets(tx: Transaction, atoms: BlockAtoms): Promise<ProtectedSets | undefined>;
  /** Closed statements with facts on the elements, which a change of their sides would disturb (taxonomy T-40). */
  closedSets?(tx: Transaction, elementIds: readonly string[]): Promise<ProtectedSets | undefined>;
  /** Removes the facts on the atoms and says how many they were. */
  removeFacts(tx: Transaction, atoms: BlockAtoms): Promise<number>;
  /** Removes the verification results of rules that go (taxonomy T-38, M-11). */
  removeResults(tx: Transaction, ruleIds: readonly string[]): Promise<void>;
  /** The stored verification results of a taxonomy's rules, newest first, at most 1,000. */
  results(tx: Transaction, ruleIds: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** What the owner of entities knows of the taxonomies that they are linked to. */
export interface EntityLinks extends CollectionEntry {
  /** The taxonomy of the primary link of basis `reporting`; undefined without one (taxonomy LB-17). */
  reportingTaxonomyId(tx: Transaction): Promise<string | undefined>;
  /** The taxonomy of the primary link of basis `chart_of_accounts`; undefined without one (taxonomy T-28). */
  primaryChartId(tx: Transaction): Promise<string | undefined>;
  /** Removes the links to taxonomies that go; whether one of them was a primary chart (taxonomy T-38, T-39). */
  unlink(tx: Transaction, taxonomyIds: readonly string[]): Promise<{ readonly wasPrimaryChart: boolean }>;
}

/** A rule as the engine that evaluates it needs it. */
export interface TaxonomyRule {
  readonly id: string;
  readonly taxonomyId: string;
  readonly structureId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly category: string;
  /** Null for a structural check. */
  readonly pattern: string | null;
  readonly checkKind: string | null;
  readonly expression: string;
  /** `variable_name` and `variable_qname`, with whatever else the author said of the variable. */
  readonly variables: readonly Readonly<Record<string, unknown>>[];
  readonly severity: 'info' | 'warning' | 'error';
  readonly origin: 'auto' | 'native' | 'forked';
  readonly targetKind: 'structure' | 'element' | 'association' | 'taxonomy' | null;
  readonly targetId: string | null;
  readonly message: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Rules of taxonomies, the graph's own and those of the shipped library. */
export interface TaxonomyRules {
  /** The rules about any of these structures, elements, arcs or taxonomies, by name, at most 20,000. One statement. */
  ofTargets(tx: Transaction, targetIds: readonly string[]): Promise<readonly TaxonomyRule[]>;
}

/** Structural checks over stored atoms (taxonomy section 6). */
export interface StructuralChecks {
  /** Every structural rule of a taxonomy of the graph or the library; undefined when the id is no block. */
  evaluate(tx: Transaction, taxonomyId: string): Promise<readonly StructuralResult[] | undefined>;
}

export const blockDependants = createCollection<BlockDependant>('taxonomy.block-dependants');
export const entityLinks = createCollection<EntityLinks>('taxonomy.entity-links');
export const taxonomyRules = createToken<TaxonomyRules>('taxonomy.rules');
export const structuralChecks = createToken<StructuralChecks>('taxonomy.structural-checks');
export const elementGuards = createCollection<ElementGuard>('taxonomy.element-guards');
export const chartListeners = createCollection<ChartListener>('taxonomy.chart-listeners');

/** Writes and reads of taxonomy blocks; the operations' own service. */
export interface TaxonomyBlocks {
  create(work: BlockWork, request: CreateBlockRequest): Promise<BlockEnvelope>;
  update(work: BlockWork, request: UpdateBlockRequest): Promise<BlockEnvelope>;
  remove(work: BlockWork, request: DeleteBlockRequest): Promise<DeleteBlockAnswer>;
  /** One block whose lists are read when they are asked for; undefined for what is no block (taxonomy T-45). */
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

/** Who writes, when and in which transaction. */
export interface BlockWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly now: Date;
}

export interface MappingEdits {
  /** Adds one arc after the checks of taxonomy 4.2; approved by the caller unless told otherwise, null is nobody. */
  add(work: BlockWork, request: NewMappingAssociation, approvedBy?: string | null): Promise<AssociationAnswer>;
  remove(work: BlockWork, mappingId: string, associationId: string): Promise<void>;
}

export const taxonomyBlocks = createToken<TaxonomyBlocks>('taxonomy.blocks');
export const mappingEdits = createToken<MappingEdits>('taxonomy.mapping-edits');

/** What an information block is assembled from; each method is one statement, whatever the number of ids. */
export interface StructureParts {
  find(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, StructurePart>>;
  list(tx: Transaction, filter: StructurePartFilter): Promise<readonly StructurePart[]>;
  connections(tx: Transaction, structureIds: readonly string[]): Promise<readonly ConnectionPart[]>;
  elements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ElementPart>>;
  elementIdsByQname(tx: Transaction, qnames: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export const structureParts = createToken<StructureParts>('taxonomy.structure-parts');
