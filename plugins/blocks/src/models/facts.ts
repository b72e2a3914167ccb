/** The purpose of a fact set, which determines the producer that owns it (F-10). */
export type FactSetType = 'report' | 'schedule' | 'metric' | 'disclosure' | 'custom' | 'reconciliation';
export type FactScope = 'in_scope' | 'historical';
export type PeriodType = 'instant' | 'duration';

/** A set to create. */
export interface NewFactSet {
  readonly structureId: string | null;
  readonly entityId: string;
  /** `YYYY-MM-DD`, both ends inclusive; null where the set has no start. */
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly factsetType: FactSetType;
  readonly reportId?: string | null;
  /** Null for actuals (F-11). */
  readonly scenarioId: string | null;
  /** The source of the facts, discriminated by `origin` (reporting 1.3). */
  readonly provenance: Readonly<Record<string, unknown>> | null;
  readonly createdBy: string;
  readonly now: Date;
}

export interface StoredFactSet {
  readonly id: string;
  readonly structureId: string | null;
  readonly entityId: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly factsetType: FactSetType;
  readonly reportId: string | null;
  readonly scenarioId: string | null;
  readonly provenance: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

/** One axis member of a fact (F-15). */
export interface FactMember {
  /** `axis` for a member of an axis, `scenario` for the scenario of a forecast fact. */
  readonly dimensionType: string;
  readonly axisElementId: string | null;
  /** The member element's id, or the typed value. */
  readonly value: string;
  readonly displayName: string;
}

/** A fact to add to a set. */
export interface NewFact {
  readonly elementId: string;
  /** Defaults to the entity of the set. */
  readonly entityId?: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly periodType: PeriodType;
  /** An exact decimal in currency units, days or plain numbers; null for a text fact. */
  readonly value: string | null;
  /** `USD`, `days`, `pure`, `shares` (F-4); null for a text fact. */
  readonly unit: string | null;
  /** An integer as text or `INF`; null when the precision is unknown (F-5). */
  readonly decimals?: string | null;
  readonly factScope?: FactScope;
  /** Makes this a text fact, with `value` and `unit` null (F-2). */
  readonly text?: { readonly value: string; readonly contentType: string };
  readonly members?: readonly FactMember[];
  readonly provenance?: Readonly<Record<string, unknown>> | null;
}

export interface StoredFact {
  readonly id: string;
  readonly factSetId: string;
  readonly elementId: string;
  readonly entityId: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly periodType: PeriodType;
  readonly factType: 'Numeric' | 'Nonnumeric';
  /** An exact decimal without trailing zeros. */
  readonly value: string | null;
  readonly unit: string | null;
  readonly decimals: string | null;
  readonly textValue: string | null;
  readonly contentType: string | null;
  readonly factScope: FactScope;
  readonly provenance: Readonly<Record<string, unknown>> | null;
}

/** A text fact without its period and provenance. */
export type TextFact = Pick<StoredFact, 'id' | 'factSetId' | 'elementId'> & { readonly textValue: string };

/**
 * Actuals, one scenario, or every scenario. There is no default: a forecast set belongs to the same structure as the
 * actuals, so an omitted choice would count plans as actuals (F-11).
 */
export type ScenarioChoice = 'actuals' | 'all' | { readonly id: string };

/** Selects sets that match all given fields. At least one field other than `scenario` is required. */
export interface FactSetFilter {
  readonly scenario: ScenarioChoice;
  readonly structureIds?: readonly string[];
  readonly factSetIds?: readonly string[];
  readonly entityId?: string;
  readonly factsetTypes?: readonly FactSetType[];
  /** Null selects the sets that belong to no report. */
  readonly reportId?: string | null;
  /** Matches this window exactly. */
  readonly window?: { readonly start: string | null; readonly end: string };
}

/** Selects the numbers that the operands of a formula may bind (M-5). */
export interface NumberFilter {
  readonly entityId: string;
  readonly factsetTypes: readonly FactSetType[];
  readonly elementIds: readonly string[];
  /** The dates on which the facts end. */
  readonly endingOn: readonly string[];
  /** Leaves out movements that start before this date; balances have no start. */
  readonly startingFrom?: string;
  /** A fact in this unit precedes the others of its element and period, however new they are. */
  readonly currency: string;
  /** Actuals are always read; null reads nothing else. */
  readonly scenarioId: string | null;
  /** Excludes the sets of this structure that end on this date. */
  readonly except?: { readonly structureId: string; readonly periodEnd: string };
}

/** A number with the period that it covers. */
export interface FoundNumber {
  readonly factId: string;
  readonly elementId: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly periodType: PeriodType;
  /** An exact decimal without trailing zeros. */
  readonly value: string;
  readonly unit: string | null;
  /** Null for actuals. */
  readonly scenarioId: string | null;
}

/** The set of a metric block for one entity, date and scenario (M-9). */
export type NewMetricSet = Omit<NewFactSet, 'factsetType' | 'reportId' | 'structureId'> & {
  readonly structureId: string;
};

/** A statement of a month that belongs to no report: of the actuals, or of a scenario (F-10). */
export type NewMonthSet = Omit<NewFactSet, 'factsetType' | 'reportId' | 'structureId' | 'periodStart' | 'now'> & {
  readonly structureId: string;
  readonly periodStart: string;
};

/** The set after its facts were replaced. */
export interface ReplacedSet {
  /** Null if there was no set and no fact to write. */
  readonly setId: string | null;
  /** True if the set existed before. */
  readonly isReplaced: boolean;
}

/** Selects facts, either by set or by structure. */
export interface FactFilter {
  readonly scenario: ScenarioChoice;
  readonly factSetIds?: readonly string[];
  readonly structureIds?: readonly string[];
  readonly elementIds?: readonly string[];
  readonly scope?: FactScope;
  /** Facts that end on or after this date. */
  readonly endingFrom?: string;
  /** Facts that end on or before this date. */
  readonly endingThrough?: string;
}
