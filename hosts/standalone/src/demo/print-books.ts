import Big from 'big.js';
import Table from 'cli-table3';
import { field, type LedgerApi, listField, needSuccess, textField } from '../import-journal/ledger-api.ts';
import { demoCompany } from './company.ts';
import { readGraphql } from './read-graphql.ts';

/** With the four borders and rules between them a table is 100 columns wide. */
const name_columns = 62;
const amount_columns = 17;
const amount_rule = '─'.repeat(amount_columns - 2);

/** The trial balance, the balance sheet and the income statement of the demo company as tables without colors. */
export async function renderBooks(api: LedgerApi, graphId: string): Promise<string> {
  return [
    await trialBalance(api, graphId),
    await statement(api, graphId, 'balance_sheet', 'Balance sheet at 31 December'),
    await statement(api, graphId, 'income_statement', 'Income statement'),
  ].join('\n\n');
}

async function trialBalance(api: LedgerApi, graphId: string): Promise<string> {
  const query = `{ trialBalance(endDate: "${demoCompany.last_day}") { rows { accountCode accountName netBalance } } }`;
  const data = await readGraphql({ api, graphId }, query, 'Reading the trial balance');
  const rows = listField(field(data, 'trialBalance'), 'rows').map((row) => ({
    name: `${textField(row, 'accountCode') ?? ''}  ${textField(row, 'accountName') ?? ''}`,
    net: amountOf(field(row, 'netBalance')) ?? new Big(0),
  }));
  const debits = rows.reduce((sum, { net }) => (net.gt(0) ? sum.plus(net) : sum), new Big(0));
  const credits = rows.reduce((sum, { net }) => (net.lt(0) ? sum.minus(net) : sum), new Big(0));
  const table = newTable(['Trial balance, 2024 and 2025', 'Debit', 'Credit']);
  for (const { name, net } of rows) {
    table.push([name, net.gt(0) ? money(net) : '', net.lt(0) ? money(net.neg()) : '']);
  }
  table.push(['', amount_rule, amount_rule], ['Total', money(debits), money(credits)]);
  return table.toString();
}

async function statement(api: LedgerApi, graphId: string, type: string, title: string): Promise<string> {
  const path = `/extensions/roboledger/${encodeURIComponent(graphId)}/operations/live-financial-statement`;
  const [end, year] = [demoCompany.last_day, demoCompany.last_day.slice(0, 4)];
  const request = { statement_type: type, period_start: `${year}-01-01`, period_end: end };
  const answer = needSuccess(await api.post(path, request), `Reading the ${title.toLowerCase()}`);
  const table = newTable([title, year, String(Number(year) - 1)]);
  let wasItem = false;
  for (const fact of listField(field(answer, 'result'), 'facts')) {
    const isSubtotal = field(fact, 'is_subtotal') === true;
    // A sum stands under a rule, as in a printed statement; a sum of sums needs no second one.
    if (isSubtotal && wasItem) table.push(['', amount_rule, amount_rule]);
    wasItem = !isSubtotal;
    const [current, prior] = listField(fact, 'values');
    const indent = '  '.repeat(Math.max(0, Number(field(fact, 'depth') ?? 0) - 1));
    const name = `${indent}${textField(fact, 'name') ?? ''}`;
    table.push([isSubtotal ? `${shortened(name, name_columns - 4)} =` : name, shown(current), shown(prior)]);
  }
  return table.toString();
}

function shortened(text: string, characters_max: number): string {
  return text.length <= characters_max ? text : `${text.slice(0, characters_max - 1)}…`;
}

function newTable(head: readonly string[]): Table.Table {
  return new Table({
    head: [...head],
    colWidths: [name_columns, amount_columns, amount_columns],
    colAligns: ['left', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
}

/** The service sends the double nearest to an exact decimal of two places, which this gives back. */
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
