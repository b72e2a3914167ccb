import { oneLine } from '@pacioli/core';
import { type BundleColumn, forecastNote, type NotePart, type ReportBundle } from '../bundle/index.ts';
import { type AmountUnit, unitFor } from './amounts.ts';
import { foldTotals } from './folded-totals.ts';
import { type ShownStatement, shownStatements } from './shown-statement.ts';

/** The statements of a report as annual reports print them, and the unit of all their amounts (reporting G-7a). */
export interface PrintedReport {
  readonly statements: readonly ShownStatement[];
  readonly unit: AmountUnit;
  /** Names the currency, the unit and the forecast, such as `Amounts in thousands of USD.`; may be empty. */
  readonly note: readonly NotePart[];
}

export function printedReport(bundle: ReportBundle): PrintedReport {
  const statements = shownStatements(bundle).map((statement) => withPlainHeadings(foldTotals(statement)));
  const unit = unitOf(statements);
  const currencies = bundle.facts.flatMap(({ unit: each }) => (each !== null && /^[A-Z]{3}$/.test(each) ? [each] : []));
  const [ofUnit, ofForecast] = [unitNote(unit, currencies), forecastNote(bundle.forecast)];
  const gap = ofUnit === '' || ofForecast.length === 0 ? '' : ' ';
  return { statements, unit, note: [`${ofUnit}${gap}`, ...ofForecast] };
}

/** The note as one line without control characters; may be empty. */
export function noteText(note: PrintedReport['note']): string {
  return oneLine(note.map((part) => (typeof part === 'string' ? part : part.name)).join(''));
}

const abstractSuffix = / \[Abstract\]$/;

/** Without the heading above all rows, which says what the name of the statement says. */
function withPlainHeadings(statement: ShownStatement): ShownStatement {
  const [first, ...others] = statement.rows;
  const isTitle = first?.kind === 'heading' && others.length > 0 && others.every(({ depth }) => depth > first.depth);
  const rows = isTitle ? others : statement.rows;
  const left = Math.min(...rows.map(({ depth }) => depth));
  const by = isTitle ? 1 : 0;
  return {
    ...statement,
    rows: rows.map((row) => ({ ...row, depth: row.depth - left, label: row.label.replace(abstractSuffix, '') })),
    sums: statement.sums.map(({ total, parts, direct }) => ({
      direct,
      total: total - by,
      parts: parts.map(({ row, factor }) => ({ row: row - by, factor })),
    })),
  };
}

/** The unit for all amounts of money of some statements. */
export function unitOf(statements: readonly ShownStatement[]): AmountUnit {
  const rows = statements.flatMap((statement) => statement.rows.filter(({ isMoney }) => isMoney));
  return unitFor(rows.flatMap(({ values }) => values.flatMap((value) => value ?? [])));
}

export function unitNote({ digits, prefix }: AmountUnit, currencies: Iterable<string>): string {
  const distinct = [...new Set(currencies)].sort();
  if (distinct.length === 0) return '';
  const rounding = digits === 0 ? '' : ' Rounded; totals are those of the exact amounts.';
  return `Amounts in ${prefix}${distinct.join(', ')}.${rounding}`;
}

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** The dates of a column, such as `Jan 1, 2026 to Mar 31, 2026`. */
export function datesOf({ start, end }: Pick<BundleColumn, 'start' | 'end'>, isInstant: boolean): string {
  const text = (date: string): string => dateFormat.format(new Date(`${date}T00:00:00Z`));
  return isInstant ? text(end) : `${text(start)} to ${text(end)}`;
}
