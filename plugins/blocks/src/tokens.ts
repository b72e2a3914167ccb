import { type CollectionEntry, createCollection, createToken, type Transaction } from '@pacioli/core';
import type { Envelope } from './envelopes/envelope.ts';
import type { BlockView, ViewSubject } from './models/block-view.ts';
import type {
  FactFilter,
  FactMember,
  FactSetFilter,
  FactSetType,
  FoundNumber,
  NewFact,
  NewFactSet,
  NewMetricSet,
  NewMonthSet,
  NumberFilter,
  ReplacedSet,
  StoredFact,
  StoredFactSet,
  TextFact,
} from './models/facts.ts';
import type { RulePatternSpec } from './models/rule-patterns.ts';
import type { Evaluation, NewRule, Rule } from './models/rules.ts';

/** The transaction, author and time of one write. */
export interface BlockWork {
  readonly tx: Transaction;
  readonly graphId: string;
  readonly userId: string;
  readonly now: Date;
}

/** The result of a write; the operation reads the envelope by the id in the same transaction. */
export interface WrittenBlock {
  readonly structureId: string;
}

/**
 * One type of information block (B-2). The key is the `block_type` of structure rows and of the wire; no code outside
 * the entry branches on the type.
 */
export interface BlockType extends CollectionEntry {
  readonly displayName: string;
  readonly displayPlural: string;
  readonly category: string;
  readonly icon: string;
  readonly description: string;
  /** Declarative types are made by `create`, compositional ones come from a taxonomy, derivative ones are computed. */
  readonly mode: 'declarative' | 'compositional' | 'derivative';
  /** The default of the envelope for structures that do not state an arrangement (B-12). */
  readonly conceptArrangement: string | null;
  readonly memberArrangement: string | null;
  readonly surfacesInLibrary: boolean;
  /** The facts of the newest set, of all sets of the structure (a time series), or none (B-8). */
  readonly factsShown: 'selected' | 'all-sets' | 'none';
  /** True if callers may request one column for each month (`series`, B-21). */
  readonly hasSeries?: boolean;
  /**
   * The sets to show (B-20): always actuals (the default), those of the requested scenario, both together, or those
   * whose scenario is the block itself, such as the drivers of a forecast.
   */
  readonly scenarios?: 'ignored' | 'asked' | 'added' | 'own';
  /** Lists leave out structures of this type that have no presentation arc (B-17). */
  readonly isListedOnlyWhenPresented?: boolean;
  /**
   * Writes the block and its atoms in the caller's transaction; if absent, the operation answers 501. `payload` has the
   * fields that the request schema of the operation states for this type.
   */
  create?(work: BlockWork, payload: Readonly<Record<string, unknown>>): Promise<WrittenBlock>;
  /** The caller has already checked that the structure exists and has this type (B-5). */
  update?(work: BlockWork, payload: Readonly<Record<string, unknown>>): Promise<WrittenBlock>;
  remove?(work: BlockWork, payload: Readonly<Record<string, unknown>>): Promise<void>;
  /** The operation to call if a write is absent; the 501 response names it (B-4). */
  readonly instead?: { readonly create?: string; readonly update?: string; readonly remove?: string };
  /** The `artifact.mechanics` of these structures, by id; a constant number of statements for all of them (B-19). */
  mechanics(tx: Transaction, structureIds: readonly string[]): Promise<ReadonlyMap<string, object>>;
}

/** Draws blocks of one type, which is the key. Types without a viewer get a plain table (B-6, step 11). */
export interface BlockViewer extends CollectionEntry {
  /** Draws all subjects with a constant number of statements; a block missing from the result gets the plain table. */
  draw(tx: Transaction, subjects: readonly ViewSubject[]): Promise<ReadonlyMap<string, BlockView>>;
}

/** The reporting entities. At most one contribution, from the plugin that owns entities. */
export interface ReportingEntities extends CollectionEntry {
  /** The entity to use when the caller names none (B-0.9); undefined in a graph without entities. */
  defaultId(tx: Transaction): Promise<string | undefined>;
  /** True if the graph has an entity with this id. */
  has(tx: Transaction, entityId: string): Promise<boolean>;
}

/** A kind of rule as pure functions; the key is the name of the pattern. */
export interface RulePattern extends CollectionEntry, RulePatternSpec {}

/** The only writer of facts (reporting Z-3). Every method works in the caller's transaction. */
export interface FactStore {
  /** Inserts one set and returns its id. Throws a conflict when its type allows only one such set (F-10). */
  createSet(tx: Transaction, set: NewFactSet): Promise<string>;
  /** Inserts several sets with one statement and returns the ids in input order. At most 1,000. */
  createSets(tx: Transaction, sets: readonly NewFactSet[]): Promise<readonly string[]>;
  /** Adds facts, 5,000 per statement, and returns their ids in order; refuses a fact that the set already has (F-1). */
  addFacts(tx: Transaction, setId: string, facts: readonly NewFact[], now: Date): Promise<readonly string[]>;
  /** Adds the facts of several sets, 5,000 per statement, and returns their ids in the order of the sets and facts. */
  addFactsToSets(
    tx: Transaction,
    sets: readonly { readonly setId: string; readonly facts: readonly NewFact[] }[],
    now: Date,
  ): Promise<readonly string[]>;
  /** Deletes the matching facts and returns their number. */
  deleteFacts(tx: Transaction, filter: FactFilter): Promise<number>;
  /** Deletes the matching sets with their facts and verification results and returns their number (F-9). */
  deleteSets(tx: Transaction, filter: FactSetFilter): Promise<number>;
  /**
   * Makes the matching sets final and returns their number: every later change of them or of their facts is a conflict
   * (P-16).
   */
  finalizeSets(tx: Transaction, filter: FactSetFilter): Promise<number>;
  /** Newest first: period end, canonical before snapshot, creation (B-7, F-13). At most 5,000. */
  sets(tx: Transaction, filter: FactSetFilter): Promise<readonly StoredFactSet[]>;
  /** By period end and element. At most 50,000; more is an error. */
  facts(tx: Transaction, filter: FactFilter): Promise<readonly StoredFact[]>;
  /**
   * The text facts of these sets, by set, element, period and id: those that begin within the characters, and at most as
   * many as the limit; `total` counts all. One statement.
   */
  textFacts(
    tx: Transaction,
    factSetIds: readonly string[],
    limit: { readonly facts: number; readonly characters: number },
  ): Promise<{ readonly facts: readonly TextFact[]; readonly total: number }>;
  /** The number of facts of these sets. */
  countFacts(tx: Transaction, factSetIds: readonly string[]): Promise<number>;
  /** The facts of the sets with their members, in batches of 2,000 by set; the transaction holds the cursor. */
  factBatches(
    tx: Transaction,
    factSetIds: readonly string[],
  ): AsyncIterable<readonly (StoredFact & { readonly members: readonly FactMember[] })[]>;
  /** The axis members of the facts of these sets, by fact. At most 50,000; more is an error. One statement. */
  members(
    tx: Transaction,
    factSetIds: readonly string[],
  ): Promise<readonly (FactMember & { readonly factId: string })[]>;
  /**
   * The newest number of each element for each balance date or movement, of the actuals and of one scenario. Numbers in
   * the currency come first, then sets that end on the date of the number. At most 10,000; more is an error.
   */
  newestNumbers(tx: Transaction, filter: NumberFilter): Promise<readonly FoundNumber[]>;
  /** The last date before a given one on which a set of the entity ends, among actuals and one scenario. */
  newestEndBefore(
    tx: Transaction,
    filter: {
      readonly entityId: string;
      readonly factsetTypes: readonly FactSetType[];
      readonly scenarioId: string | null;
      readonly before: string;
    },
  ): Promise<string | undefined>;
  /**
   * Replaces the facts and the provenance of the metric set of a structure, entity, date and scenario; a missing set is
   * created unless there are no facts. Concurrent calls for one set wait until the transaction ends.
   */
  replaceMetricSet(tx: Transaction, set: NewMetricSet, facts: readonly NewFact[]): Promise<ReplacedSet>;
  /**
   * Replaces the facts and the provenance of statements of months, by structure, entity, scenario and window; missing
   * sets are created and existing ones keep their id. Returns the ids in order; at most 1,000. Concurrent calls for the
   * same sets wait until the transaction ends.
   */
  replaceMonthSets(
    tx: Transaction,
    sets: readonly { readonly set: NewMonthSet; readonly facts: readonly NewFact[] }[],
    now: Date,
  ): Promise<readonly string[]>;
  /** Deletes the sets of a scenario with their facts and results, and its dimension; returns the number of sets. */
  removeScenario(tx: Transaction, scenarioId: string): Promise<number>;
  /** The number of months that the statements of the structures have in each scenario; none is absent. One statement. */
  countScenarioSets(
    tx: Transaction,
    filter: { readonly structureIds: readonly string[]; readonly scenarioIds: readonly string[] },
  ): Promise<ReadonlyMap<string, number>>;
}

/** The rules of a graph; shipped rules are not rows but the same reads return them. */
export interface RuleStore {
  /** Inserts the rules with one statement and returns their ids in order. Refuses an expression that does not parse. */
  add(tx: Transaction, rules: readonly NewRule[]): Promise<readonly string[]>;
  /** Deletes the rules of these structures. */
  removeByStructure(
    tx: Transaction,
    structureIds: readonly string[],
    options?: { readonly pattern?: string },
  ): Promise<number>;
  /**
   * The rules about any of the targets and those about the whole graph, by category, then id: of the library, of the
   * graph's taxonomies and of its blocks. Two statements.
   */
  about(tx: Transaction, targetIds: ReadonlySet<string>): Promise<readonly Rule[]>;
  /** The graph's own rules for these structures; by category, then id. */
  forStructures(tx: Transaction, structureIds: readonly string[]): Promise<readonly Rule[]>;
}

/** The scope of an evaluation. */
export interface EvaluationRequest {
  readonly structureIds: readonly string[];
  /** Restricts the facts to this set, which must belong to the only structure of the request. */
  readonly factSetId?: string | null;
  /** The set for each structure; replaces `factSetId` for requests with many structures. */
  readonly factSetIds?: ReadonlyMap<string, string>;
  /** The window of the facts, both ends inclusive. */
  readonly periodStart?: string | null;
  readonly periodEnd?: string | null;
  /** Deletes earlier results for the same structures and sets first, as forecasts require. */
  readonly replacesEarlier?: boolean;
  readonly userId: string;
  readonly now: Date;
}

/** A rule of severity error that failed. */
export interface BlockingFailure {
  readonly ruleId: string;
  readonly structureId: string;
  readonly message: string | null;
}

/** Evaluates the rules of structures over their facts, and stores the results. */
export interface RuleEngine {
  /**
   * Evaluates every rule of the structures and stores the results, with a constant number of statements.
   */
  evaluate(tx: Transaction, request: EvaluationRequest): Promise<Evaluation>;
  /** The failures of severity error in the newest run over each of the sets (P-21); at most 100. One statement. */
  blockingFailures(tx: Transaction, factSetIds: readonly string[]): Promise<readonly BlockingFailure[]>;
}

/** Selects the sets that an envelope shows. */
export interface EnvelopeOptions {
  /** Actuals if absent (B-20). */
  readonly scenarioId?: string;
  /** One column for each month, if the type supports series (B-21). */
  readonly isSeries?: boolean;
  /** Limits a series to the last actual and the first forecast columns (B-23). */
  readonly window?: { readonly history?: number; readonly forecast?: number };
  /** The set to show for each structure; a set of another structure shows no facts (B-7). */
  readonly pins?: ReadonlyMap<string, string>;
}

/** Reads blocks in their wire form: elements, arcs, facts, rules, results and view (B-6). */
export interface BlockEnvelopes {
  /**
   * The blocks with these ids, by id, without those that do not exist in this graph. A constant number of statements.
   */
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

/** The filing status of reports, from the plugin that owns them; absent in a deployment without reports. */
export interface ReportFilings extends CollectionEntry {
  /** Those of the reports that are filed or archived, whose facts cannot be changed or deleted (taxonomy T-40). */
  immutable(tx: Transaction, reportIds: readonly string[]): Promise<readonly string[]>;
}

export const blockEnvelopes = createToken<BlockEnvelopes>('blocks.envelopes');
export const blockTypes = createCollection<BlockType>('blocks.types');
export const blockViewers = createCollection<BlockViewer>('blocks.viewers');
export const rulePatterns = createCollection<RulePattern>('blocks.rule-patterns');
export const reportingEntities = createCollection<ReportingEntities>('blocks.reporting-entities');
export const reportFilings = createCollection<ReportFilings>('blocks.report-filings');
export const factStore = createToken<FactStore>('blocks.fact-store');
export const ruleStore = createToken<RuleStore>('blocks.rule-store');
export const ruleEngine = createToken<RuleEngine>('blocks.rule-engine');
