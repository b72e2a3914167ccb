import { type CollectionEntry, createCollection, createToken, type Transaction } from '@pacioli/core';
import type { Envelope } from './envelopes/index.ts';
import type { BlockView, ViewSubject } from './models/block-view.ts';
import type { FactFilter, FactSetFilter, NewFact, NewFactSet, StoredFact, StoredFactSet } from './models/facts.ts';
import type { RulePatternSpec } from './models/rule-patterns.ts';
import type { Evaluation, NewRule, Rule } from './models/rules.ts';

/** The transaction, author and moment of one write. */
export interface BlockWork {
  readonly tx: Transaction;
  readonly graphId: string;
  readonly userId: string;
  readonly now: Date;
}

/** What a write of a block answers; the operation reads the envelope by the id in the same transaction. */
export interface WrittenBlock {
  readonly structureId: string;
}

/**
 * One type of information block (B-2). The key is the `block_type` of the structure rows and of the wire, and nothing
 * outside the entry asks for the type.
 */
export interface BlockType extends CollectionEntry {
  readonly displayName: string;
  readonly displayPlural: string;
  readonly category: string;
  readonly icon: string;
  readonly description: string;
  /** Declarative types are made by `create`, compositional ones are found in a taxonomy, derivative ones computed. */
  readonly mode: 'declarative' | 'compositional' | 'derivative';
  /** What the envelope says when the structure itself says nothing (B-12). */
  readonly conceptArrangement: string | null;
  readonly memberArrangement: string | null;
  readonly surfacesInLibrary: boolean;
  /** The facts of the newest set, of all sets of the structure (a time series), or none (B-8). */
  readonly factsShown: 'selected' | 'all-sets' | 'none';
  /** True where one column for each month may be asked for (`series`, B-21). */
  readonly hasSeries?: boolean;
  /**
   * Whose sets are shown (B-20): actuals whatever is asked (the default), those of the asked scenario, both together,
   * or those of which the block itself is the scenario, such as the levers of a forecast.
   */
  readonly scenarios?: 'ignored' | 'asked' | 'added' | 'own';
  /** Lists leave out structures of this type without a presentation arc (B-17). */
  readonly isListedOnlyWhenPresented?: boolean;
  /** Writes the block and its atoms in the caller's transaction. Absent: 501. The payload is the arm's own. */
  create?(work: BlockWork, payload: Readonly<Record<string, unknown>>): Promise<WrittenBlock>;
  /** The caller has checked that the structure exists and is of this type (B-5). */
  update?(work: BlockWork, payload: Readonly<Record<string, unknown>>): Promise<WrittenBlock>;
  remove?(work: BlockWork, payload: Readonly<Record<string, unknown>>): Promise<void>;
  /** What to call where a write is absent; the 501 names it (B-4). */
  readonly instead?: { readonly create?: string; readonly update?: string; readonly remove?: string };
  /** The `artifact.mechanics` of these structures, by id; a constant number of statements for all of them (B-19). */
  mechanics(tx: Transaction, structureIds: readonly string[]): Promise<ReadonlyMap<string, object>>;
}

/** How blocks of one type are drawn: the key is the block type. Without one, a block has the plain table (B-6, 11). */
export interface BlockViewer extends CollectionEntry {
  /** Draws all of them with a constant number of statements; a block that is left out has the plain table. */
  draw(tx: Transaction, subjects: readonly ViewSubject[]): Promise<ReadonlyMap<string, BlockView>>;
}

/** Who the books are about. At most one entry: the owner of entities contributes it. */
export interface ReportingEntities extends CollectionEntry {
  /** The entity meant when none is named (B-0.9); undefined in a graph without one. */
  defaultId(tx: Transaction): Promise<string | undefined>;
  /** Whether the graph has an entity of this id. */
  has(tx: Transaction, entityId: string): Promise<boolean>;
}

/** A document whose text may be bound (T-1). */
export interface DocumentText {
  readonly id: string;
  /** Markdown without its front matter; who keeps the document knows what front matter is. */
  readonly body: string;
}

/** The documents of a graph, contributed by who keeps them; without a contributor every document is unknown. */
export interface DocumentTexts extends CollectionEntry {
  /** Those of the documents that the graph of the transaction has, by id; one statement for at most 50 ids. */
  find(tx: Transaction, documentIds: readonly string[]): Promise<ReadonlyMap<string, DocumentText>>;
}

/** How a kind of rule decides; the key is the name of the pattern. Pure functions. */
export interface RulePattern extends CollectionEntry, RulePatternSpec {}

/** The only writer of facts (reporting Z-3). Every method works in the caller's transaction. */
export interface FactStore {
  /** Writes one set and returns its id. Throws a conflict when the standing set of the subject exists (F-10). */
  createSet(tx: Transaction, set: NewFactSet): Promise<string>;
  /** Writes several sets with one statement; the ids are in the order of the sets. At most 1,000. */
  createSets(tx: Transaction, sets: readonly NewFactSet[]): Promise<readonly string[]>;
  /** Adds facts, one statement for each 5,000, and returns their ids in order; a fact of the set is refused (F-1). */
  addFacts(tx: Transaction, setId: string, facts: readonly NewFact[], now: Date): Promise<readonly string[]>;
  /** Deletes the facts that fit and returns how many there were. */
  deleteFacts(tx: Transaction, filter: FactFilter): Promise<number>;
  /** Deletes the sets that fit with their facts and verification results, and returns how many there were (F-9). */
  deleteSets(tx: Transaction, filter: FactSetFilter): Promise<number>;
  /** Newest first: period end, canonical before snapshot, creation (B-7, F-13). At most 5,000. */
  sets(tx: Transaction, filter: FactSetFilter): Promise<readonly StoredFactSet[]>;
  /** By period end and element. At most 50,000; more is an error. */
  facts(tx: Transaction, filter: FactFilter): Promise<readonly StoredFact[]>;
}

/** The rules that a graph keeps; those that ship are not rows, but are found by the same reads. */
export interface RuleStore {
  /** Writes the rules with one statement and returns their ids in order. An expression that no parser takes is refused. */
  add(tx: Transaction, rules: readonly NewRule[]): Promise<readonly string[]>;
  /** Removes the rules that were made for these structures. */
  removeByStructure(
    tx: Transaction,
    structureIds: readonly string[],
    options?: { readonly pattern?: string },
  ): Promise<number>;
  /** The graph's own rules that were made for these structures; by category, then id. */
  forStructures(tx: Transaction, structureIds: readonly string[]): Promise<readonly Rule[]>;
}

/** What is to be evaluated. */
export interface EvaluationRequest {
  readonly structureIds: readonly string[];
  /** The facts of this set only; it must belong to the one structure that is named then. */
  readonly factSetId?: string | null;
  /** Evaluate each structure over the set that is named for it; stands in for `factSetId` with many structures. */
  readonly factSetIds?: ReadonlyMap<string, string>;
  /** The window of the facts, both ends inclusive. */
  readonly periodStart?: string | null;
  readonly periodEnd?: string | null;
  /** Deletes the results of the same structures and sets first, as months of a forecast want. */
  readonly replacesEarlier?: boolean;
  readonly userId: string;
  readonly now: Date;
}

export interface RuleEngine {
  /** Evaluates every rule of the structures and stores the results. A constant number of statements. */
  evaluate(tx: Transaction, request: EvaluationRequest): Promise<Evaluation>;
}

/** Which sets an envelope shows. */
export interface EnvelopeOptions {
  /** Absent for actuals (B-20). */
  readonly scenarioId?: string;
  /** One column for each month, where the type has series (B-21). */
  readonly isSeries?: boolean;
  /** Cuts series to the last actual and the first planned columns (B-23). */
  readonly window?: { readonly history?: number; readonly forecast?: number };
  /** The set to show, by structure; a set of another structure shows none (B-7). */
  readonly pins?: ReadonlyMap<string, string>;
}

/** Reads blocks as the wire shows them: elements, arcs, facts, rules, results and view (B-6). */
export interface BlockEnvelopes {
  /** The blocks with these ids, by id; what is no block of this graph is absent. A constant number of statements. */
  read(
    tx: Transaction,
    structureIds: readonly string[],
    options?: EnvelopeOptions,
  ): Promise<ReadonlyMap<string, Envelope>>;
  /** One page of blocks (B-16 to B-19). */
  list(
    tx: Transaction,
    filter: {
      readonly blockType?: string;
      readonly category?: string;
      readonly limit: number;
      readonly offset: number;
    } & Pick<EnvelopeOptions, 'scenarioId'>,
  ): Promise<readonly Envelope[]>;
}

/** What the owner of reports knows of them; a deployment without reports has none. */
export interface ReportFilings extends CollectionEntry {
  /** Those of the reports that are filed or archived, whose facts nobody may change or take away (taxonomy T-40). */
  immutable(tx: Transaction, reportIds: readonly string[]): Promise<readonly string[]>;
}

export const blockEnvelopes = createToken<BlockEnvelopes>('blocks.envelopes');
export const blockTypes = createCollection<BlockType>('blocks.types');
export const blockViewers = createCollection<BlockViewer>('blocks.viewers');
export const rulePatterns = createCollection<RulePattern>('blocks.rule-patterns');
export const reportingEntities = createCollection<ReportingEntities>('blocks.reporting-entities');
export const documentTexts = createCollection<DocumentTexts>('blocks.document-texts');
export const reportFilings = createCollection<ReportFilings>('blocks.report-filings');
export const factStore = createToken<FactStore>('blocks.fact-store');
export const ruleStore = createToken<RuleStore>('blocks.rule-store');
export const ruleEngine = createToken<RuleEngine>('blocks.rule-engine');
