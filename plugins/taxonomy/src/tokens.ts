import { type CollectionEntry, createCollection, createToken, type Transaction } from '@pacioli/core';
import type { ExtensionConcept } from './domain/check-arcs.ts';
import type { BalanceType, PeriodType } from './domain/framework-types.ts';
import type { LibraryCatalogue } from './domain/library-catalogue.ts';
import type { Statements } from './domain/statements.ts';
import type { StructuralResult } from './domain/structural-checks.ts';
import type { AssociationAnswer, NewMappingAssociation } from './models/associations.ts';
import type {
  LibraryArcFilter,
  LibraryArcRow,
  LibraryElementFilter,
  LibraryStructureFilter,
  LibraryTreeArc,
  PeerArcRow,
  ShownElement,
  ShownStructure,
  ShownTaxonomy,
} from './models/library-rows.ts';
import type {
  AssociationRow,
  CoverageRow,
  ElementFilter,
  ElementRow,
  StructureFilter,
  StructureRow,
  TaxonomyRow,
  UnmappedRow,
} from './models/rows.ts';
import type { ConnectionPart, ElementPart, StructurePart, StructurePartFilter } from './models/structure-parts.ts';
import type { BlockEnvelope, LazyBlock } from './models/taxonomy-block-envelope.ts';
import type {
  CreateBlockRequest,
  DeleteBlockAnswer,
  DeleteBlockRequest,
  UpdateBlockRequest,
} from './models/taxonomy-block-requests.ts';

/** An account: an element of a chart to which journal lines post (taxonomy T-6). */
export interface Account {
  readonly id: string;
  readonly taxonomyId: string | null;
  readonly qname: string | null;
  readonly code: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly subClassification: string | null;
  readonly balanceType: BalanceType;
  readonly periodType: PeriodType;
  readonly isActive: boolean;
  readonly isAbstract: boolean;
  /** A header: nothing posts to it. */
  readonly isPlaceholder: boolean;
  /** Its metadata says `no_negative: true`: what posts to it may not take it below zero (ledger L-213). */
  readonly isNeverNegative: boolean;
  readonly source: string;
  readonly parentId: string | null;
  readonly depth: number;
  /** ISO 4217; null means the currency of the books. */
  readonly currency: string | null;
  readonly externalId: string | null;
  readonly externalSource: string | null;
}

/** One account of a chart to be made. What is left out follows from the trait. */
export interface NewAccount {
  readonly code: string;
  readonly name: string;
  readonly trait: string;
  readonly description?: string | null;
  readonly subClassification?: string | null;
  readonly liquidity?: 'current' | 'noncurrent' | null;
  readonly balanceType?: BalanceType;
  readonly currency?: string | null;
  /** The code of another account of the same chart. */
  readonly parentCode?: string | null;
  /** Local name or qname of the reporting concept; null or absent leaves the account unmapped. */
  readonly concept?: string | null;
}

export interface NewChart {
  readonly name: string;
  readonly description?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly accounts: readonly NewAccount[];
  /** Makes a mapping into the US GAAP framework with the arcs that the accounts name. */
  readonly mapping?: { readonly name?: string; readonly suggestedBy: string };
  readonly createdBy: string;
  readonly now: Date;
}

export interface CreatedChart {
  readonly taxonomyId: string;
  /** Null when no mapping was asked for. */
  readonly mappingId: string | null;
  readonly accountIdsByCode: ReadonlyMap<string, string>;
  readonly mappingsCreated: number;
  /** Concept names that the library does not have, each once. */
  readonly unresolved: readonly string[];
}

export interface AccountFilter {
  readonly trait?: string;
  readonly isActive?: boolean;
  /** 1 to 1,000 rows. */
  readonly limit: number;
  readonly offset: number;
}

/** Ids that a provider gave; without a connection those of all its connections. */
export interface ExternalIds {
  readonly source: string;
  readonly connectionId: string | null;
  readonly ids: readonly string[];
}

/** The accounts of the transaction's graph. Every method works in the caller's transaction. */
export interface ChartOfAccounts {
  /** Writes chart, accounts and mapping with one statement each. The caller checks first that no chart exists. */
  create(tx: Transaction, chart: NewChart): Promise<CreatedChart>;
  /** Whether an active chart exists, whatever made it (ledger L-19). */
  exists(tx: Transaction): Promise<boolean>;
  /** The accounts with these ids, by id; unknown ids are absent. One statement. */
  find(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /**
   * Keeps the accounts with these ids until the transaction ends, so that nobody deletes what is about to be used; answers
   * those that are there. Waits for a deletion that is under way. One statement.
   */
  hold(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The active accounts with these codes, by code. One statement. */
  findByCode(tx: Transaction, codes: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /** The accounts that a provider knows by these ids, by its id (ledger L-88). One statement. */
  findByExternalId(tx: Transaction, of: ExternalIds): Promise<ReadonlyMap<string, Account>>;
  /** One page in natural code order, then name (ledger L-36). One statement. */
  list(
    tx: Transaction,
    filter: AccountFilter,
  ): Promise<{ readonly accounts: readonly Account[]; readonly total: number }>;
  /** Every account in natural code order, for trees and rollups. One statement, at most 50,000 rows. */
  all(tx: Transaction, options?: { readonly includeInactive?: boolean }): Promise<readonly Account[]>;
  /** How many accounts there are, active or not. */
  count(tx: Transaction): Promise<number>;
}

export interface ReportingConcept {
  readonly id: string;
  readonly qname: string | null;
  readonly name: string;
  readonly trait: string | null;
  readonly balanceType: BalanceType;
  readonly periodType: PeriodType;
}

export interface MappedAccount {
  readonly accountId: string;
  readonly concept: ReportingConcept;
}

export interface AccountMapping {
  readonly id: string;
  readonly name: string;
  readonly taxonomyId: string;
  /** One entry per mapped account; an account has at most one concept (taxonomy M-2). */
  readonly arcs: readonly MappedAccount[];
}

/** Which reporting concept each account rolls up into. */
export interface Mappings {
  /** The mapping with its account arcs in one statement; undefined when the id is not a mapping of this graph. */
  concepts(tx: Transaction, mappingId: string): Promise<AccountMapping | undefined>;
  /** The id of the mapping used when none is named (taxonomy M-5); undefined without a chart. */
  bookMappingId(tx: Transaction): Promise<string | undefined>;
}

/** The shipped library and what is derived from it; constants in memory, no statement. */
export interface Library extends LibraryCatalogue {}

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
export const chartOfAccounts = createToken<ChartOfAccounts>('taxonomy.chart-of-accounts');
export const mappings = createToken<Mappings>('taxonomy.mappings');
export const library = createToken<Library>('taxonomy.library');
export const statementStructures = createToken<Statements>('taxonomy.statement-structures');
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

/** The lists behind the queries; rows have the names of the wire. */
export interface TaxonomyReads {
  mappings(tx: Transaction): Promise<readonly StructureRow[]>;
  mapping(tx: Transaction, mappingId: string): Promise<StructureRow | undefined>;
  associations(tx: Transaction, structureId: string): Promise<readonly AssociationRow[]>;
  coverage(tx: Transaction, mappingId: string): Promise<readonly CoverageRow[]>;
  /** At most 5,000 accounts. */
  unmapped(tx: Transaction, mappingId: string | undefined): Promise<readonly UnmappedRow[]>;
  /** The taxonomies of the graph itself, without the library. */
  taxonomies(tx: Transaction): Promise<readonly TaxonomyRow[]>;
  /** How many elements each taxonomy of the graph itself has. */
  elementCounts(tx: Transaction): Promise<ReadonlyMap<string, number>>;
  /** The active structures of the graph itself, without the library. */
  structures(tx: Transaction, filter: StructureFilter): Promise<readonly StructureRow[]>;
  elements(
    tx: Transaction,
    filter: ElementFilter,
  ): Promise<{ readonly elements: readonly ElementRow[]; readonly total: number }>;
  /** The active concepts of the graph's extensions of its framework, by qname, at most 5,000 (taxonomy M-12). */
  extensionConcepts(tx: Transaction): Promise<readonly ExtensionConcept[]>;
  /** The totals that each item leads to in the calculations of the graph's extensions, by qname (taxonomy M-17). */
  extensionTotals(tx: Transaction): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Reads over the graph's own rows and the shared library at once (taxonomy LB-14, LB-15). */
export interface LibraryReads {
  /** The graph's own element first; a qname must be in the spelling that is stored. */
  element(tx: Transaction, by: { readonly id: string } | { readonly qname: string }): Promise<ShownElement | undefined>;
  /** By id; unknown ids are absent. */
  elements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ShownElement>>;
  /** The active elements of the graph and the library by qname, one page at a time (taxonomy LB-14). */
  list(
    tx: Transaction,
    filter: LibraryElementFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly ShownElement[]>;
  /** Own active elements in whose qname or name any of the lower-case words occurs, at most 5,000. */
  ownLike(tx: Transaction, words: readonly string[], source: string | undefined): Promise<readonly ShownElement[]>;
  /** Without a version the newest active one. */
  taxonomy(
    tx: Transaction,
    by: { readonly id: string } | { readonly standard: string; readonly version: string | null },
  ): Promise<ShownTaxonomy | undefined>;
  elementCount(tx: Transaction, taxonomyId: string): Promise<number>;
  taxonomyArcs(
    tx: Transaction,
    filter: LibraryArcFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly LibraryArcRow[]>;
  taxonomyArcCount(tx: Transaction, filter: LibraryArcFilter): Promise<number>;
  /** At most 5,000 arcs. */
  peerArcs(tx: Transaction, elementId: string): Promise<readonly PeerArcRow[]>;
  /** At most 5,000 ids. */
  equivalentIds(tx: Transaction, elementId: string): Promise<readonly string[]>;
  /** At most 20,000 arcs, in order below each parent. */
  treeArcs(
    tx: Transaction,
    parentIds: readonly string[],
    structureId: string | undefined,
  ): Promise<readonly LibraryTreeArc[]>;
  /** At most 1,000 structures. */
  structures(tx: Transaction, filter: LibraryStructureFilter): Promise<readonly ShownStructure[]>;
  structure(tx: Transaction, id: string): Promise<ShownStructure | undefined>;
}

export const libraryReads = createToken<LibraryReads>('taxonomy.library-reads');
export const taxonomyBlocks = createToken<TaxonomyBlocks>('taxonomy.blocks');
export const mappingEdits = createToken<MappingEdits>('taxonomy.mapping-edits');
export const taxonomyReads = createToken<TaxonomyReads>('taxonomy.reads');

/** What an information block is assembled from; each method is one statement, whatever the number of ids. */
export interface StructureParts {
  find(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, StructurePart>>;
  list(tx: Transaction, filter: StructurePartFilter): Promise<readonly StructurePart[]>;
  connections(tx: Transaction, structureIds: readonly string[]): Promise<readonly ConnectionPart[]>;
  elements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ElementPart>>;
  elementIdsByQname(tx: Transaction, qnames: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export const structureParts = createToken<StructureParts>('taxonomy.structure-parts');
