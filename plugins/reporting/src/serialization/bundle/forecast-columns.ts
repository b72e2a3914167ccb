import { forecastLabel } from '@pacioli/blocks';
import { boundsOf, plusMonths } from '@pacioli/core/calendar';
import type { BundleFact, BundleForecast, BundleStructure, ReportBundle } from './bundle.ts';
import { sumOfDecimals } from './decimals.ts';
import { factsByStructure } from './facts-by-structure.ts';

/** More columns than these would not fit next to the actual ones, so that months become quarters, and quarters years. */
const maxColumns = 6;
const columnLengths = [1, 3, 12] as const;

/** The months of a scenario after a report. */
export interface ForecastMonths {
  /** The name of the scenario. */
  readonly name: string;
  /** `YYYY-MM`, in order. */
  readonly months: readonly string[];
  /** Months after the report and before the last one that the scenario does not have. */
  readonly missingMonths: readonly string[];
  /** Those of the months that have actual statements by now. */
  readonly closedMonths: readonly string[];
  /** The concepts, structures and facts of the scenario in these months. */
  readonly bundle: Pick<ReportBundle, 'concepts' | 'structures' | 'facts' | 'factSets'>;
}

/** The report with the months of a scenario as columns after its own, for documents for people (reporting G-7b). */
export function withForecast(report: ReportBundle, plan: ForecastMonths): ReportBundle {
  const { name, months, missingMonths, closedMonths, bundle } = plan;
  const monthsPerColumn = columnLengths.find((length) => months.length <= length * maxColumns) ?? 12;
  const columns = Array.from({ length: Math.ceil(months.length / monthsPerColumn) }, (_each, index) => {
    return columnOf(months.slice(index * monthsPerColumn, (index + 1) * monthsPerColumn));
  });
  const factsOf = factsByStructure(bundle);
  const planned = new Map(bundle.structures.map((structure) => [structure.id, structure]));
  const structureIds = report.structures.map(({ id }) => id).filter((id) => planned.has(id));
  const facts = structureIds.flatMap((id) => {
    return columns.flatMap((column) => columnFacts(factsOf.get(id) ?? [], column, forecastSetId(id)));
  });
  const known = new Set(report.concepts.map(({ qname }) => qname));
  return {
    ...report,
    concepts: [...report.concepts, ...bundle.concepts.filter(({ qname }) => !known.has(qname))],
    structures: report.structures.map((structure) => withLines(structure, planned.get(structure.id))),
    facts: [...report.facts, ...facts],
    factSets: [...report.factSets, ...structureIds.map(forecastSet)],
    forecast: {
      name,
      monthsPerColumn,
      columns: columns.map(({ months: _months, ...column }) => column),
      structureIds,
      missingMonths,
      closedMonths,
    },
  };
}

interface MonthColumn {
  readonly label: string;
  readonly start: string;
  readonly end: string;
  readonly months: readonly string[];
}

/** Headed as forecast (reporting B-24); several months by the first and the last. */
function columnOf(months: readonly string[]): MonthColumn {
  const [first = '', last = first] = [months[0], months.at(-1)];
  return { label: labelOf(first, forecastLabel(last)), start: boundsOf(first).start, end: boundsOf(last).end, months };
}

/** A range of months, such as `May to Jul 2026`; `last` is the label of its last month. */
function labelOf(first: string, last: string): string {
  const label = forecastLabel(first);
  const [start = ''] = label.split(last.includes(first.slice(0, 4)) ? ' ' : ' (');
  return last === label || last === monthLabel(first) ? last : `${start} to ${last}`;
}

function monthLabel(month: string): string {
  return forecastLabel(month).replace(/ \(.*/, '');
}

/** Months in order as ranges, such as `Apr 2026, Jul to Sep 2026`. */
function rangesText(months: readonly string[]): string {
  const ranges: string[][] = [];
  for (const month of months) {
    const last = ranges.at(-1);
    if (last !== undefined && plusMonths(last.at(-1) ?? '', 1) === month) last.push(month);
    else ranges.push([month]);
  }
  return ranges.map((range) => labelOf(range[0] ?? '', monthLabel(range.at(-1) ?? ''))).join(', ');
}

/**
 * The facts of a statement in a column: sums of movements, and the balances of the last day. None if a month of the
 * column has no such statement, because the sums would be those of a shorter time.
 */
function columnFacts(
  facts: readonly BundleFact[],
  { months, start, end }: MonthColumn,
  factSetId: string,
): readonly BundleFact[] {
  const own = facts.filter((fact) => months.includes(monthOf(fact)));
  if (new Set(own.map(monthOf)).size < months.length) return [];
  const byConcept = new Map<string, BundleFact[]>();
  for (const fact of own) byConcept.set(fact.concept, [...(byConcept.get(fact.concept) ?? []), fact]);
  return [...byConcept.values()].flatMap((all): readonly BundleFact[] => {
    const isBalance = all.some(({ period }) => 'instant' in period);
    const counted = isBalance ? all.filter((fact) => monthOf(fact) === months.at(-1)) : all;
    const [fact] = counted;
    if (fact === undefined) return [];
    const value = sumOfDecimals(counted.flatMap((each) => each.value ?? []));
    const direct = counted.flatMap((each) => each.directAmount ?? []);
    const period = isBalance ? { instant: end } : { start, end };
    return [
      {
        ...fact,
        id: `${factSetId} ${fact.concept} ${end}`,
        period,
        value,
        factSetIds: [factSetId],
        ...(direct.length === 0 ? {} : { directAmount: sumOfDecimals(direct) }),
      },
    ];
  });
}

function monthOf({ period }: BundleFact): string {
  return ('instant' in period ? period.instant : period.end).slice(0, 7);
}

/** With the places of lines that only the forecast has. */
function withLines(structure: BundleStructure, planned: BundleStructure | undefined): BundleStructure {
  const known = new Set(structure.arcs.flatMap(({ from, to }) => [from, to]));
  const isComplete = planned === undefined || planned.arcs.every(({ to }) => known.has(to));
  return isComplete ? structure : { ...structure, arcs: planned.arcs };
}

function forecastSetId(structureId: string): string {
  return `forecast ${structureId}`;
}

function forecastSet(structureId: string): ReportBundle['factSets'][number] {
  return { id: forecastSetId(structureId), structureId, origin: 'forecast', startedAt: '', agent: null, used: [] };
}

/** A part of a note: words of ours, or the name of something, which documents isolate. */
export type NotePart = string | { readonly name: string };

/**
 * Names a forecast, and says which months each of its columns adds up, which months no column has, and which ones are
 * closed by now. Empty without a forecast.
 */
export function forecastNote(forecast: BundleForecast | undefined): readonly NotePart[] {
  if (forecast === undefined) return [];
  const { name, monthsPerColumn, missingMonths, closedMonths } = forecast;
  const sentences = [
    ...(monthsPerColumn === 1
      ? []
      : [
          `Each forecast column has up to ${monthsPerColumn} months: movements are their sums, balances those of the last day.`,
        ]),
    ...(missingMonths.length === 0
      ? []
      : [`Not shown, because neither the report nor the forecast has them: ${rangesText(missingMonths)}.`]),
    ...(closedMonths.length === 0
      ? []
      : [
          `Shown as forecast although the books have actual amounts: ${rangesText(closedMonths)}. Compute the forecast again, from a later base period if its anchor is fixed.`,
        ]),
  ];
  return ['Forecast: ', { name }, ['.', ...sentences].join(' ')];
}
