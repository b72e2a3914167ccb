import type { StyleStatements } from '@pacioli/taxonomy';
import { FlowTotals } from '../src/cash-flow/index.ts';
import { flowRules } from '../src/statements/flow-layout.ts';
import {
  type FlowColumn,
  type FlowStatement,
  type FlowStatementKind,
  makeFlowStatement,
} from '../src/statements/statement.ts';
import type { Layout, MappedAmount, UnmappedAmount } from '../src/statements/statement-lines.ts';
import { concept } from './shipped-statements.ts';

/** An account of test books, with the local name of its concept; without one it is unmapped. */
export interface BookAccount {
  readonly id: string;
  readonly concept?: string;
}

export interface BookLine {
  readonly account: string;
  /** Debits are positive. */
  readonly amount: bigint;
  /** The local name of the line of the cash flow that the line names. */
  readonly tag?: string | undefined;
}

export interface BookEntry {
  readonly month: number;
  readonly lines: readonly BookLine[];
}

export interface Books {
  readonly layout: Layout;
  readonly accounts: readonly BookAccount[];
  readonly entries: readonly BookEntry[];
}

/** Lays out a statement of the months `first` to `last` of books in memory, from the journal as the reader does. */
export function flowStatement(kind: FlowStatementKind, books: Books, months: readonly [number, number]): FlowStatement {
  return makeFlowStatement(kind, books.layout, [flowColumn(books, months)], String);
}

/** The amounts and flows of the months `first` to `last` of books in memory. */
export function flowColumn(books: Books, [first, last]: readonly [number, number]): FlowColumn {
  const column = columnOf(books, first, last);
  const rules = flowRules(
    books.layout,
    column.mapped.map((amount) => amount.concept),
  );
  const totals = new FlowTotals(rules, column.accounts);
  const special = new Set(totals.specialAccountIds);
  for (const { month, lines } of books.entries) {
    if (month < first || month > last) continue;
    if (!lines.some(({ account, tag }) => special.has(account) || tag !== undefined)) continue;
    totals.add(
      lines.map(({ account, amount, tag }) => ({
        accountId: account,
        flow: -amount,
        flowElementId: tag === undefined ? null : elementIdOf(books.layout, tag),
      })),
    );
  }
  return {
    ...column,
    label: 'Current',
    network: rules.network,
    cashFlow: totals.cashFlow(),
    equityChanges: totals.equityChanges(),
  };
}

function elementIdOf(layout: Layout, tag: string): string {
  const rows: StyleStatements['cashFlowStatement']['rows'] = layout.cashFlowSources.network.rows;
  const row = rows.find(({ qname }) => qname === `rs-gaap:${tag}`);
  if (row === undefined) throw new Error(`The cash flow has no line ${tag}.`);
  return row.elementId;
}

function columnOf({ accounts, entries }: Books, first: number, last: number) {
  const lines = entries.flatMap((entry) => entry.lines.map((line) => ({ ...line, month: entry.month })));
  const mapped: MappedAmount[] = [];
  const unmapped: UnmappedAmount[] = [];
  const opening: { mapped: MappedAmount[]; unmapped: UnmappedAmount[] } = { mapped: [], unmapped: [] };
  const flowAccounts = accounts.map((account) => {
    const own = lines.filter((line) => line.account === account.id && line.month <= last);
    const before = sum(own.filter((line) => line.month < first));
    const inside = own.filter((line) => line.month >= first);
    const amounts = { cumulative: sum(own), movement: inside.length === 0 ? null : sum(inside) };
    if (account.concept === undefined) {
      unmapped.push({ ...amounts, period: 'instant' });
      opening.unmapped.push({ cumulative: before, movement: null, period: 'instant' });
    } else {
      mapped.push({ ...amounts, concept: concept(account.concept) });
      opening.mapped.push({ cumulative: before, movement: null, concept: concept(account.concept) });
    }
    const qname = account.concept === undefined ? undefined : `rs-gaap:${account.concept}`;
    return { id: account.id, qname, opening: before, end: amounts.cumulative, movement: amounts.movement };
  });
  return { mapped, unmapped, opening, accounts: flowAccounts };
}

function sum(lines: readonly BookLine[]): bigint {
  return lines.reduce((total, { amount }) => total + amount, 0n);
}

/** Shown values by local name, in whole units of a hundred; the first and the last row of an equity statement differ. */
export function shown({ rows }: FlowStatement): readonly (readonly [string, number])[] {
  return rows.map(({ line, values }) => [line.qname.replace('rs-gaap:', ''), Number(values[0] ?? 0n) / 100]);
}
