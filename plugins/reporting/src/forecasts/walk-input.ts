import type { Decimal } from '../metrics/index.ts';
import type { ColumnValues, Layout, MappedConcept } from '../statements/index.ts';
import type { DriverRule, UnusableRule } from './driver-rules.ts';

/** Values by month, `YYYY-MM`. */
export type MonthValues = ReadonlyMap<string, Decimal>;

/** A movement that schedules and disposals bring to a line, in minor units on the natural side of the line. */
export interface LineMovement {
  readonly qname: string;
  readonly period: string;
  readonly amount: bigint;
}

/** Everything that determines a forecast; lines and concepts are named by qname (reporting 10.3). */
export interface WalkInput {
  readonly layout: Layout;
  /** The concepts of the lines that hold amounts, and of the distributions. */
  readonly concepts: readonly MappedConcept[];
  /** The digits of the minor unit of the currency. */
  readonly digits: number;
  readonly anchor: {
    /** `YYYY-MM`. */
    readonly period: string;
    readonly income: ColumnValues;
    /** Undefined if the month has no balance sheet. */
    readonly balances: ColumnValues | undefined;
  };
  /** The months after the anchor, in order. */
  readonly months: readonly string[];
  readonly levers: ReadonlyMap<string, MonthValues>;
  readonly assertions: ReadonlyMap<string, MonthValues>;
  /** Rates by line. */
  readonly growth: ReadonlyMap<string, MonthValues>;
  readonly rules: readonly DriverRule[];
  readonly unusableRules: readonly UnusableRule[];
  isDriver(qname: string): boolean;
  /** From the anchor month on. */
  readonly movements: readonly LineMovement[];
}

/** A rule or a line that a month does not apply, and the reason. */
export interface SkippedStep {
  readonly period: string;
  readonly reason: string;
  readonly ruleId: string | null;
  readonly qname: string | null;
  readonly missing: readonly string[];
}

/** The statements of one month, in minor units; the cash flow in the sign of its concepts (F-8). */
export interface ForecastMonth {
  readonly period: string;
  readonly income: ColumnValues;
  readonly balances: ColumnValues;
  /** Undefined without balances at the anchor. */
  readonly cashFlow: ColumnValues | undefined;
  /** The amounts of the lines themselves; a total has one besides those of its parts only if accounts are mapped to it (S-32). */
  readonly own: { readonly income: ColumnValues; readonly balances: ColumnValues };
}

export interface Walk {
  readonly months: readonly ForecastMonth[];
  readonly skipped: readonly SkippedStep[];
  readonly diagnostics: readonly string[];
}
