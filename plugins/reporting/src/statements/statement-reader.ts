import { ServiceError, type Transaction } from '@pacioli/core';
import {
  type Balances,
  type DateRange,
  type Entities,
  foreignLinesCheck,
  foreignLinesFinding,
  type RangeSums,
} from '@pacioli/ledger';
import type { AccountMapping, ChartOfAccounts, Mappings, Statements, StyleStatements } from '@pacioli/taxonomy';
import type { ColumnAmounts, FailedCheck, Layout, MappedAmount, UnmappedAmount } from './statement-lines.ts';
import type { Window } from './window.ts';

/** The inputs of a statement, read with a constant number of statements. */
export interface StatementSource {
  readonly layout: Layout;
  /** One for each window, in the same order. */
  readonly columns: readonly ColumnAmounts[];
  readonly currency: string;
  readonly unmappedCount: number;
}

export interface StatementReaderParts {
  readonly balances: Balances;
  readonly chart: ChartOfAccounts;
  readonly mappings: Mappings;
  readonly statements: Statements;
  readonly entities: Entities;
}

/** Reads balances and the mapping, and determines the reporting style. */
export class StatementReader {
  readonly #parts: StatementReaderParts;

  constructor(parts: StatementReaderParts) {
    this.#parts = parts;
  }

  async read(tx: Transaction, windows: readonly Window[]): Promise<StatementSource> {
    const { balances, chart, mappings } = this.#parts;
    const mappingId = await mappings.bookMappingId(tx);
    const mapping = mappingId === undefined ? undefined : await mappings.concepts(tx, mappingId);
    if (mapping === undefined) {
      throw new ServiceError(
        'invalid_input',
        'NO_MAPPING',
        'The accounts are not mapped to reporting concepts yet. Make a chart from a template, or map accounts with create-mapping-association.',
      );
    }
    const ranges: DateRange[] = windows.flatMap((window) => [
      { start: null, end: window.end },
      { start: window.start, end: window.end },
    ]);
    const { currency, columns } = await balances.inRanges(tx, ranges);
    const mapped = new Set(mapping.arcs.map((arc) => arc.accountId));
    // A retired account keeps its balance.
    const accounts = await chart.all(tx, { includeInactive: true });
    const periods = new Map(accounts.map((account) => [account.id, account.periodType]));
    return {
      layout: layoutOf(await this.#style(tx, mapping)),
      columns: windows.map((_window, index) =>
        columnOf({ mapping, periods, currency }, columns[index * 2] ?? nothing, columns[index * 2 + 1] ?? nothing),
      ),
      currency,
      unmappedCount: accounts.filter(
        (account) => account.isActive && !account.isAbstract && !account.isPlaceholder && !mapped.has(account.id),
      ).length,
    };
  }

  /** The company’s style, or the first style that shows every concept in use (reporting Y-1, Y-3). */
  async #style(tx: Transaction, mapping: AccountMapping): Promise<StyleStatements> {
    const { statements, entities } = this.#parts;
    const chosen = (await entities.primary(tx))?.reporting_style_id;
    // The wire identifies a style by its structure.
    const code = chosen == null ? undefined : statements.codeOfStyle(chosen);
    const known = code === undefined ? undefined : statements.ofStyle(code);
    if (known !== undefined) return known;
    const standard = statements.styles
      .filter((style) => style.defaultFor !== null)
      .map((style) => statements.ofStyle(style.code));
    const candidates = standard.filter((style): style is StyleStatements => style !== undefined);
    const instants = mapping.arcs.filter((arc) => arc.concept.periodType === 'instant' && arc.concept.qname !== null);
    const missing = (style: StyleStatements): number => {
      const own = new Set(style.balanceSheet.rows.map((row) => row.qname));
      return instants.filter((arc) => !own.has(style.leafOf(arc.concept.qname ?? '')?.qname ?? '')).length;
    };
    const [best] = [...candidates].sort((a, b) => missing(a) - missing(b));
    if (best === undefined) throw new Error('The library has no reporting style.');
    return best;
  }
}

/** The layout of a style as the engine uses it. */
export function layoutOf(style: StyleStatements): Layout {
  return {
    balanceSheet: style.balanceSheet.rows,
    incomeStatement: style.incomeStatement.rows,
    earningsHome: style.style.retainedEarnings,
    leafOf: (qname) => style.leafOf(qname),
  };
}

/** Ledger L-5a: a statement reports the posted lines that it leaves out. */
function foreignCheck({ foreign }: RangeSums, currency: string): FailedCheck | undefined {
  const finding = foreignLinesFinding(foreign, currency);
  return finding === undefined ? undefined : { check: foreignLinesCheck, finding };
}

const nothing: RangeSums = { sums: [], foreign: [] };

interface AccountFacts {
  readonly mapping: AccountMapping;
  readonly periods: ReadonlyMap<string, 'instant' | 'duration'>;
  readonly currency: string;
}

function columnOf(
  { mapping, periods, currency }: AccountFacts,
  cumulative: RangeSums,
  movement: RangeSums,
): ColumnAmounts {
  const concepts = new Map(mapping.arcs.map((arc) => [arc.accountId, arc.concept]));
  const moved = new Map(movement.sums.map((sum) => [sum.accountId, sum.debit - sum.credit]));
  const mapped: MappedAmount[] = [];
  const unmapped: UnmappedAmount[] = [];
  for (const { accountId, debit, credit } of cumulative.sums) {
    const amounts = { cumulative: debit - credit, movement: moved.get(accountId) ?? null };
    const concept = concepts.get(accountId);
    if (concept === undefined || concept.qname === null) {
      unmapped.push({ ...amounts, period: periods.get(accountId) ?? 'instant' });
      continue;
    }
    const { qname, balanceType: balance, periodType: period, trait } = concept;
    mapped.push({ ...amounts, concept: { qname, balance, period, trait } });
  }
  const omitted = {
    cumulative: foreignCheck(cumulative, currency),
    movement: foreignCheck(movement, currency),
  };
  return { mapped, unmapped, omitted };
}
