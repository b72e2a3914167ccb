import type { NewFact } from '@pacioli/blocks';
import { plusDays } from '@pacioli/core/calendar';
import { majorText, minorDigits } from '@pacioli/ledger';
import type { StatementStructure, StyleStatements } from '@pacioli/taxonomy';
import {
  type ColumnValues,
  type FlowColumn,
  type FlowStatement,
  makeComprehensiveIncome,
  makeFlowStatement,
  makeStatement,
  reconciliationLines,
  type ShownRow,
  type Statement,
  type StatementSource,
  type Validation,
  type Window,
} from '../statements/index.ts';
import { ConceptValues, type ValueConflict } from './concept-values.ts';

/** A column of statements, with the label that findings name. */
export interface LabeledWindow extends Window {
  readonly label: string;
}

/** A row without its values, which are facts. */
export interface StatementRowHead {
  readonly element_id: string;
  readonly qname: string;
  readonly name: string;
  readonly trait: string | null;
  readonly depth: number;
  readonly is_subtotal: boolean;
  /** The displayed value of the row = fact × sign; +1 if absent (reporting S-30). */
  readonly sign?: -1;
  /** True for a row with the balance at the end of the day before the column. */
  readonly is_opening?: true;
  /** True for a row of the schedule that follows a direct cash flow (reporting S-17). */
  readonly is_reconciliation?: true;
}

/** A statement with the facts of its fact set. */
export interface ComposedStatement {
  readonly structure: Pick<StatementStructure, 'structureId' | 'name' | 'blockType'>;
  readonly rows: readonly StatementRowHead[];
  readonly validation: Validation;
  readonly facts: readonly NewFact[];
}

/** All statements of a style for the same columns. */
export interface StatementSet {
  readonly statements: readonly ComposedStatement[];
  /** By column, the values of the lines of all statements by element id, as facts carry them, in minor units. */
  readonly values: readonly ReadonlyMap<string, bigint>[];
}

/**
 * The statements of the style with the facts of each, from the same numbers as the live view; pure (V-4). A fact is in
 * the set of every statement whose network has its element (S-22).
 */
export function composeStatements(
  source: StatementSource,
  windows: readonly LabeledWindow[],
  flows: readonly FlowColumn[],
): StatementSet {
  const { style, layout, currency } = source;
  const columns = source.columns.map((column, index) => ({ ...column, label: windows[index]?.label ?? '' }));
  const inText = (minor: bigint): string => `${majorText(minor, currency)} ${currency}`;
  const income = makeStatement('income_statement', layout, columns, inText);
  const indirect = new Set(reconciliationLines(layout).map(({ qname }) => qname));
  const schedule = style.cashFlowSources.network.rows.filter(({ qname }) => indirect.has(qname));
  const cashFlow = { ...style.cashFlowStatement, rows: [...style.cashFlowStatement.rows, ...schedule] };
  const made: readonly MadeStatement[] = [
    { network: style.incomeStatement, ...income },
    { network: style.balanceSheet, ...makeStatement('balance_sheet', layout, columns, inText) },
    { network: style.equityStatement, ...makeFlowStatement('equity_statement', layout, flows, inText) },
    { network: style.comprehensiveIncome, ...makeComprehensiveIncome(layout, flows, income, inText) },
    { network: cashFlow, ...makeFlowStatement('cash_flow_statement', layout, flows, inText) },
  ];
  const values = new ConceptValues(windows.length);
  const checked = made.map((statement) => {
    const conflicts = values.add(statement.network, statement.stored ?? statement.columns);
    return { ...statement, validation: withConflicts(statement, conflicts, windows, inText) };
  });
  const elements = elementsOf(style);
  const statements = checked.map((statement) => ({
    structure: statement.network,
    rows: statement.rows.map((row) => headOf(row, elementOf(elements, row.line.qname), statement.signs)),
    validation: statement.validation,
    facts: factsOf(statement, windows, { values, elements, currency }),
  }));
  const byElement = windows.map(
    (_window, column) =>
      new Map(
        [...values.qnames(column)].map((qname) => [
          elementOf(elements, qname).elementId,
          values.get(column, qname) ?? 0n,
        ]),
      ),
  );
  return { statements, values: byElement };
}

type MadeStatement = Statement &
  Partial<Pick<FlowStatement, 'stored' | 'signs' | 'openingBalances'>> & { readonly network: StatementStructure };

/** The element of a line. */
interface LineElement {
  readonly elementId: string;
  readonly period: 'instant' | 'duration';
}

function elementsOf(style: StyleStatements): ReadonlyMap<string, LineElement> {
  const networks = [
    style.balanceSheet,
    style.incomeStatement,
    style.cashFlowStatement,
    style.equityStatement,
    style.comprehensiveIncome,
    style.cashFlowSources.network,
  ];
  const rows = networks.flatMap((network) => network.rows);
  return new Map(rows.map(({ qname, elementId, period }) => [qname, { elementId, period }]));
}

function elementOf(elements: ReadonlyMap<string, LineElement>, qname: string): LineElement {
  const found = elements.get(qname);
  if (found === undefined) throw new Error(`No network of the style has the concept ${qname}.`);
  return found;
}

function headOf(
  { line, isSubtotal, isOpening, isReconciliation }: ShownRow,
  { elementId }: LineElement,
  signs: ReadonlyMap<string, bigint> | undefined,
): StatementRowHead {
  const { qname, label: name, trait, depth } = line;
  return {
    element_id: elementId,
    qname,
    name,
    trait,
    depth,
    is_subtotal: isSubtotal,
    ...(signs?.get(qname) === -1n ? { sign: -1 } : {}),
    ...(isOpening === true ? { is_opening: true } : {}),
    ...(isReconciliation === true ? { is_reconciliation: true } : {}),
  };
}

/** Reporting F-7: a statement whose own value of a concept differs from that of another one does not tie to it. */
function withConflicts(
  { network, validation }: Pick<MadeStatement, 'network' | 'validation'>,
  conflicts: readonly ValueConflict[],
  windows: readonly LabeledWindow[],
  inText: (minor: bigint) => string,
): Validation {
  if (conflicts.length === 0) return validation;
  const labels = new Map(network.rows.map(({ qname, label }) => [qname, label]));
  const failures = conflicts.map(({ column, qname, own, known }) => {
    const prefix = windows.length > 1 ? `[${windows[column]?.label ?? ''}] ` : '';
    const name = labels.get(qname) ?? qname;
    return `${prefix}one_value: ${name} is ${inText(own)} here and ${inText(known)} in another statement`;
  });
  return {
    ...validation,
    passed: false,
    status: 'failed',
    checks: [...validation.checks, 'one_value'],
    failures: [...validation.failures, ...failures],
  };
}

interface FactParts {
  readonly values: ConceptValues;
  readonly elements: ReadonlyMap<string, LineElement>;
  readonly currency: string;
}

/**
 * One fact for each value of the lines of the statement, zeros included, so that a report tells zero from nothing (F-3,
 * F-7, S-22, S-26).
 */
function factsOf(
  statement: MadeStatement,
  windows: readonly LabeledWindow[],
  { values, elements, currency }: FactParts,
): readonly NewFact[] {
  const { network, rows, own } = statement;
  const lines = new Set([...network.rows.map(({ qname }) => qname), ...rows.map(({ line }) => line.qname)]);
  const amount = amountIn(currency);
  const totals = new Set(network.rows.flatMap(({ qname, calculation }) => (calculation.length > 0 ? [qname] : [])));
  const facts = windows.flatMap(({ start, end }, column) =>
    [...lines].flatMap((qname): NewFact[] => {
      const value = values.get(column, qname);
      if (value === undefined) return [];
      const { elementId, period } = elementOf(elements, qname);
      const direct = totals.has(qname) ? (own[column]?.get(qname) ?? 0n) : 0n;
      const provenance = direct === 0n ? {} : { provenance: { direct_amount: majorText(direct, currency) } };
      return [{ elementId, periodStart: start, periodEnd: end, periodType: period, ...amount(value), ...provenance }];
    }),
  );
  const openings = openingsOf(statement.openingBalances ?? [], windows).map(({ date, qname, value }) => ({
    elementId: elementOf(elements, qname).elementId,
    periodStart: null,
    periodEnd: date,
    periodType: 'instant' as const,
    ...amount(value),
  }));
  return [...facts, ...openings];
}

/** An amount in minor units as a fact carries it (F-4, F-5). */
export function amountIn(currency: string): (value: bigint) => Pick<NewFact, 'value' | 'unit' | 'decimals'> {
  const decimals = String(minorDigits(currency));
  return (value) => ({ value: majorText(value, currency), unit: currency, decimals });
}

/** The opening balances on days on which no column ends; those of the others are its own balances. */
function openingsOf(openingBalances: readonly ColumnValues[], windows: readonly Window[]) {
  const found = new Map<string, { readonly date: string; readonly qname: string; readonly value: bigint }>();
  const ends = new Set(windows.map(({ end }) => end));
  for (const [index, balances] of openingBalances.entries()) {
    const date = plusDays(windows[index]?.start ?? '', -1);
    if (ends.has(date)) continue;
    for (const [qname, value] of balances) found.set(`${qname} ${date}`, { date, qname, value });
  }
  return [...found.values()];
}
