import Table from 'cli-table3';
import {
  connectLedger,
  field,
  type LedgerApi,
  listField,
  needSuccess,
  textField,
} from '../import-journal/ledger-api.ts';

const name_columns = 52;
const amount_columns = 16;

/** The trial balance and both statements of the demo company, as tables of at most a hundred columns. */
export async function renderBooks(url: string, apiKey: string, graphId: string): Promise<string> {
  const api = connectLedger({ url, apiKey });
  return [
    await trialBalance(api, graphId),
    await statement(api, graphId, 'balance_sheet', 'Balance sheet at 31 December'),
    await statement(api, graphId, 'income_statement', 'Income statement'),
  ].join('\n\n');
}

async function trialBalance(api: LedgerApi, graphId: string): Promise<string> {
  const query =
    '{ trialBalance(endDate: "2025-12-31") { totalDebits totalCredits rows { accountCode accountName totalDebits totalCredits } } }';
  const answer = needSuccess(await api.post(`/extensions/${graphId}/graphql`, { query }), 'The trial balance');
  const balance = field(field(answer, 'data'), 'trialBalance');
  const table = newTable(['Trial balance, 2024 and 2025', 'Debits', 'Credits']);
  for (const row of listField(balance, 'rows')) {
    table.push([
      `${textField(row, 'accountCode')}  ${textField(row, 'accountName')}`,
      money(field(row, 'totalDebits')),
      money(field(row, 'totalCredits')),
    ]);
  }
  table.push(['Total', money(field(balance, 'totalDebits')), money(field(balance, 'totalCredits'))]);
  return table.toString();
}

async function statement(api: LedgerApi, graphId: string, type: string, title: string): Promise<string> {
  const body = { statement_type: type, period_start: '2025-01-01', period_end: '2025-12-31' };
  const answer = needSuccess(
    await api.post(`/extensions/roboledger/${graphId}/operations/live-financial-statement`, body),
    title,
  );
  const table = newTable([title, '2025', '2024']);
  for (const fact of listField(field(answer, 'result'), 'facts')) {
    const depth = Number(field(fact, 'depth') ?? 0);
    const label = `${'  '.repeat(Math.max(0, depth - 1))}${textField(fact, 'name')}`.slice(0, name_columns - 2);
    const [current, prior] = listField(fact, 'values');
    const mark = field(fact, 'is_subtotal') === true ? ' =' : '';
    table.push([`${label}${mark}`, money(current), money(prior)]);
  }
  return table.toString();
}

function newTable(head: readonly string[]): Table.Table {
  return new Table({
    head: [...head],
    colWidths: [name_columns, amount_columns, amount_columns],
    colAligns: ['left', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
}

function money(value: unknown): string {
  return typeof value === 'number'
    ? value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    : '';
}
