import type { NewFact } from '@pacioli/blocks';
import { majorText, minorDigits } from '@pacioli/ledger';
import type { StatementStructure, StyleStatements } from '@pacioli/taxonomy';
import {
  type ColumnValues,
  makeStatement,
  type ShownRow,
  type StatementSource,
  sumStatementKinds,
  type Validation,
} from '../statements/index.ts';
import type { ReportColumn } from './report-columns.ts';

/** A row as a report keeps it; its values are facts. */
export interface StatementRowHead {
  readonly element_id: string;
  readonly qname: string;
  readonly name: string;
  readonly trait: string | null;
  readonly depth: number;
  readonly is_subtotal: boolean;
}

/** A statement with the facts that it consists of. */
export interface ComposedStatement {
  readonly structure: Pick<StatementStructure, 'structureId' | 'name' | 'blockType'>;
  readonly rows: readonly StatementRowHead[];
  readonly validation: Validation;
  readonly facts: readonly NewFact[];
}

/** The balance sheet and the income statement, from the same numbers as the live view; pure (V-4, S-21). */
export function composeStatements(
  source: StatementSource,
  columns: readonly ReportColumn[],
): readonly ComposedStatement[] {
  const { style, layout, currency } = source;
  const labeled = source.columns.map((column, index) => ({ ...column, label: columns[index]?.label ?? '' }));
  const inText = (minor: bigint): string => `${majorText(minor, currency)} ${currency}`;
  const elements = elementsOf(style);
  return sumStatementKinds.map((kind) => {
    const made = makeStatement(kind, layout, labeled, inText);
    return {
      structure: networkOf(style, kind),
      rows: made.rows.map((row) => headOf(row, elementOf(elements, row.line.qname))),
      validation: made.validation,
      facts: made.columns.flatMap((values, index) => factsOf(values, columns[index], { elements, currency })),
    };
  });
}

interface ElementFacts {
  readonly elementId: string;
  readonly period: 'instant' | 'duration';
}

function networksOf(style: StyleStatements): readonly StatementStructure[] {
  return [
    style.balanceSheet,
    style.incomeStatement,
    style.cashFlowStatement,
    style.equityStatement,
    style.comprehensiveIncome,
  ];
}

function networkOf(style: StyleStatements, blockType: string): StatementStructure {
  const found = networksOf(style).find((network) => network.blockType === blockType);
  if (found === undefined) throw new Error(`The style ${style.style.code} has no network for ${blockType}.`);
  return found;
}

function elementsOf(style: StyleStatements): ReadonlyMap<string, ElementFacts> {
  const rows = networksOf(style).flatMap((network) => network.rows);
  return new Map(rows.map(({ qname, elementId, period }) => [qname, { elementId, period }]));
}

function elementOf(elements: ReadonlyMap<string, ElementFacts>, qname: string): ElementFacts {
  const found = elements.get(qname);
  if (found === undefined) throw new Error(`No network of the style has the concept ${qname}.`);
  return found;
}

function headOf({ line, isSubtotal }: ShownRow, { elementId }: ElementFacts): StatementRowHead {
  const { qname, label: name, trait, depth } = line;
  return { element_id: elementId, qname, name, trait, depth, is_subtotal: isSubtotal };
}

/** One fact for each value of a column, zeros included, so that a report tells zero from nothing (F-3, F-7, S-26). */
function factsOf(
  values: ColumnValues,
  column: ReportColumn | undefined,
  { elements, currency }: { readonly elements: ReadonlyMap<string, ElementFacts>; readonly currency: string },
): readonly NewFact[] {
  if (column === undefined) throw new Error('The engine made more columns than the report has.');
  return [...values].map(([qname, value]) => {
    const { elementId, period } = elementOf(elements, qname);
    return {
      elementId,
      periodStart: column.start,
      periodEnd: column.end,
      periodType: period,
      value: majorText(value, currency),
      unit: currency,
      decimals: String(minorDigits(currency)),
    };
  });
}
