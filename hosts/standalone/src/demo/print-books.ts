import { field, type LedgerApi, listField, requireSuccess, textField } from '@pacioli/import-beancount/client';
import {
  datesOf,
  foldTotals,
  type LiveRow,
  liveStatement,
  statementLines,
  unitNote,
  unitOf,
} from '@pacioli/reporting/printing';
import Big from 'big.js';
import Table from 'cli-table3';
import { demoCompany } from './company.ts';
import { readGraphql } from './read-graphql.ts';

/** The width of a table, including borders and column rules. */
const tableColumns = 100;
const amountColumns = 17;
const amountRule = '─'.repeat(amountColumns - 2);

/** Formats the trial balance, balance sheet and income statement of the demo company as text without colors. */
export async function renderBooks(api: LedgerApi, graphId: string): Promise<string> {
  return [
    await trialBalance(api, graphId),
    await statement(api, graphId, { type: 'balance_sheet', name: 'Balance sheet', isInstant: true }),
    await statement(api, graphId, { type: 'income_statement', name: 'Income statement', isInstant: false }),
  ].join('\n\n\n');
}

/** Debits and credits are the sums of all lines as the query returns them; the balance is their difference. */
async function trialBalance(api: LedgerApi, graphId: string): Promise<string> {
  const query = `{ trialBalance(endDate: "${demoCompany.last_day}") { totalDebits totalCredits
    rows { accountCode accountName totalDebits totalCredits netBalance } } }`;
  const data = await readGraphql({ api, graphId }, query, 'Reading the trial balance');
  const balance = field(data, 'trialBalance');
  const table = newTable(['Trial balance, 2024 and 2025', 'Debit', 'Credit', 'Balance']);
  for (const row of listField(balance, 'rows')) {
    const name = `${textField(row, 'accountCode') ?? ''}  ${textField(row, 'accountName') ?? ''}`;
    const amounts = ['totalDebits', 'totalCredits', 'netBalance'].map((column) => shown(field(row, column)));
    table.push([shortened(name, nameColumns(3) - 2), ...amounts]);
  }
  const totals = ['totalDebits', 'totalCredits'].map((column) => amountOf(field(balance, column)) ?? new Big(0));
  const [debits = new Big(0), credits = new Big(0)] = totals;
  table.push(['', amountRule, amountRule, amountRule]);
  table.push(['Total', money(debits), money(credits), money(debits.minus(credits))]);
  return table.toString();
}

/** A statement as annual reports print it, of the last year and the one before (reporting G-7a). */
async function statement(
  api: LedgerApi,
  graphId: string,
  { type, name, isInstant }: { readonly type: string; readonly name: string; readonly isInstant: boolean },
): Promise<string> {
  const path = `/extensions/roboledger/${encodeURIComponent(graphId)}/operations/live-financial-statement`;
  const [end, year] = [demoCompany.last_day, demoCompany.last_day.slice(0, 4)];
  const request = { statement_type: type, period_start: `${year}-01-01`, period_end: end };
  const answer = requireSuccess(await api.post(path, request), `Reading the ${name.toLowerCase()}`);
  const columns = [year, String(Number(year) - 1)].map((label) => {
    return { label, start: `${label}-01-01`, end: `${label}${end.slice(4)}` };
  });
  const printed = foldTotals(liveStatement({ name, columns, isInstant }, liveRows(field(answer, 'result'))));
  const unit = unitOf([printed]);
  return [
    demoCompany.name,
    `${name}: ${columns.map((column) => datesOf(column, isInstant)).join(' and ')}`,
    unitNote(unit, [demoCompany.currency]),
    '',
    ...statementLines(printed, unit),
  ].join('\n');
}

function liveRows(result: unknown): readonly LiveRow[] {
  return listField(result, 'facts').map((fact) => ({
    concept: textField(fact, 'qname') ?? '',
    label: textField(fact, 'name') ?? '',
    depth: Math.max(0, Number(field(fact, 'depth') ?? 0) - 1),
    isTotal: field(fact, 'is_subtotal') === true,
    values: listField(fact, 'values').map((value) => amountOf(value)?.toFixed(2) ?? null),
  }));
}

/** The width of the name column in a table with this many columns of amounts. */
function nameColumns(amounts: number): number {
  return tableColumns - amounts * amountColumns - (amounts + 2);
}

function shortened(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
}

function newTable(head: readonly string[]): Table.Table {
  const amounts = head.slice(1);
  return new Table({
    head: [...head],
    colWidths: [nameColumns(head.length - 1), ...amounts.map(() => amountColumns)],
    colAligns: ['left', ...amounts.map(() => 'right' as const)],
    style: { head: [], border: [], compact: true },
  });
}

/** The service sends the double nearest to an exact two-place decimal; rounding restores that decimal. */
function amountOf(value: unknown): Big | null {
  return typeof value === 'number' ? new Big(value).round(2) : null;
}

function shown(value: unknown): string {
  const amount = amountOf(value);
  return amount === null ? '' : money(amount);
}

/** Two decimals and commas between thousands: `-1,234.50`. */
export function money(amount: Big): string {
  const [whole = '0', cents = '00'] = amount.abs().toFixed(2).split('.');
  const sign = amount.lt(0) ? '-' : '';
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
}
