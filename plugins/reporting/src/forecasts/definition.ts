import { plusMonths } from '@pacioli/core/calendar';

/** A lever or a line of a forecast. */
export interface PlannedLine {
  readonly qname: string;
  readonly element_id: string;
  readonly item_type: string | null;
  readonly period_type: 'instant' | 'duration';
}

/** A line with its rates as decimal text by month. */
export interface GrowthLine extends PlannedLine {
  readonly values_by_period: Readonly<Record<string, string>>;
}

/** The definition in the structure of a forecast; values of levers and assertions are facts of its set. */
export interface ForecastDefinition {
  readonly entity_id: string;
  readonly scenario_kind: 'budget' | 'forecast' | 'projection';
  readonly base_anchor: 'fixed' | 'seam';
  /** The month before the horizon, `YYYY-MM`. */
  readonly base_period: string;
  readonly horizon_months: number;
  readonly levers: readonly PlannedLine[];
  readonly line_assertions: readonly PlannedLine[];
  readonly line_growth: readonly GrowthLine[];
}

/** The definition in the metadata of a structure; undefined for a structure of a taxonomy block. */
export function definitionOf(metadata: Readonly<Record<string, unknown>>): ForecastDefinition | undefined {
  // Only the writer of forecasts sets this key.
  return metadata['forecast'] as ForecastDefinition | undefined;
}

/** The months of the horizon, in order. */
export function horizonOf(forecast: Pick<ForecastDefinition, 'base_period' | 'horizon_months'>): readonly string[] {
  return Array.from({ length: forecast.horizon_months }, (_each, index) => plusMonths(forecast.base_period, index + 1));
}
