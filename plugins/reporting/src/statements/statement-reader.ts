import { invalidInput, ServiceError, type Transaction } from '@pacioli/core';
import {
  type Balances,
  type ClearingFlows,
  type DateRange,
  type Entities,
  type EntryFlows,
  foreignLinesCheck,
  foreignLinesFinding,
  type RangeSums,
} from '@pacioli/ledger';
import type {
  Account,
  AccountMapping,
  ChartOfAccounts,
  Mappings,
  ReportingConcept,
  Statements,
  StyleStatements,
} from '@pacioli/taxonomy';
import type { FlowAccount } from '../cash-flow/index.ts';
import { clearingAccounts } from './clearing.ts';
import type {
  ColumnAmounts,
  FailedCheck,
  Layout,
  MappedAmount,
  MappedConcept,
  UnmappedAmount,
} from './statement-lines.ts';
import type { Window } from './window.ts';

/** The amounts of one column, with the accounts from which its cash flow and its roll-forward of equity are made. */
export interface SourceColumn extends ColumnAmounts {
  readonly window: Window;
  readonly accounts: readonly FlowAccount[];
  /** The same accounts at the end of the day before the column. */
  readonly opening: ColumnAmounts;
  /** Entries that no flow of the column includes (reporting S-2a). */
  readonly clearingEntryIds: ReadonlySet<string>;
}

/** The inputs of a statement, read with a constant number of statements. */
export interface StatementSource {
  readonly style: StyleStatements;
  readonly layout: Layout;
  /** One for each window, in the same order. */
  readonly columns: readonly SourceColumn[];
  readonly currency: string;
  readonly unmappedCount: number;
}

export interface StatementReaderParts {
  readonly balances: Balances;
  readonly chart: ChartOfAccounts;
  readonly mappings: Mappings;
  readonly statements: Statements;
  readonly entities: Entities;
  readonly entryFlows: EntryFlows;
}

/** Reads balances and the mapping, and determines the reporting style. */
export class StatementReader {
  readonly #parts: StatementReaderParts;

  constructor(parts: StatementReaderParts) {
    this.#parts = parts;
  }

  /** Uses the mapping of the books unless another one is given. */
  async read(
    tx: Transaction,
    windows: readonly Window[],
    options: { readonly mappingId?: string } = {},
  ): Promise<StatementSource> {
    const { balances, chart } = this.#parts;
    const mapping = await this.#mapping(tx, options.mappingId);
    const ranges: DateRange[] = windows.flatMap((window) => [
      { start: null, end: window.end },
      { start: window.start, end: window.end },
    ]);
    const { currency, columns } = await balances.inRanges(tx, ranges);
    const mapped = new Set(mapping.arcs.map((arc) => arc.accountId));
    // A retired account keeps its balance.
    const accounts = await chart.all(tx, { includeInactive: true });
    const style = await this.#style(tx, mapping.arcs);
    const layout = layoutOf(style);
    const sums = windows.map((window, index) => ({
      window,
      cumulative: columns[index * 2] ?? nothing,
      movement: columns[index * 2 + 1] ?? nothing,
    }));
    const cleared = await this.#cleared(tx, { layout, mapping, accounts, currency }, sums);
    const shared = { mapping, periods: new Map(accounts.map(({ id, periodType }) => [id, periodType])), currency };
    return {
      style,
      layout,
      columns: sums.map((each) => columnOf(shared, each, cleared)),
      currency,
      unmappedCount: accounts.filter(
        (account) => account.isActive && !account.isAbstract && !account.isPlaceholder && !mapped.has(account.id),
      ).length,
    };
  }

  /** The style of the company with its layout, also for books without a mapping. */
  async style(tx: Transaction): Promise<{ readonly style: StyleStatements; readonly layout: Layout }> {
    const { mappings } = this.#parts;
    const mappingId = await mappings.bookMappingId(tx);
    const mapping = mappingId === undefined ? undefined : await mappings.concepts(tx, mappingId);
    const style = await this.#style(tx, mapping?.arcs ?? []);
    return { style, layout: layoutOf(style) };
  }

  /** Clearing entries of all windows; read only if accounts of both sides have lines in one of them. */
  async #cleared(tx: Transaction, books: Books, sums: readonly WindowSums[]): Promise<ClearingFlows> {
    const found = clearingAccounts(books.layout, books.mapping, books.accounts);
    const [flows, equity] = [
      new Set([...found.flowIds, ...found.summaryIds]),
      new Set([...found.equityIds, ...found.summaryIds]),
    ];
    const isPossible = sums.some(
      ({ movement }) =>
        movement.sums.some(({ accountId }) => flows.has(accountId)) &&
        movement.sums.some(({ accountId }) => equity.has(accountId)),
    );
    const [start] = sums.map(({ window }) => window.start).toSorted();
    const end = sums
      .map(({ window }) => window.end)
      .toSorted()
      .at(-1);
    if (!isPossible || start === undefined || end === undefined) return { cleared: [], unfinishedDays: [] };
    return this.#parts.entryFlows.clearing(tx, { start, end }, books.currency, found);
  }

  async #mapping(tx: Transaction, given: string | undefined): Promise<AccountMapping> {
    const { mappings } = this.#parts;
    const mappingId = given ?? (await mappings.bookMappingId(tx));
    const mapping = mappingId === undefined ? undefined : await mappings.concepts(tx, mappingId);
    if (mapping !== undefined) return mapping;
    if (given !== undefined) throw invalidInput(`Mapping '${given}' not found.`);
    throw new ServiceError(
      'invalid_input',
      'NO_MAPPING',
      'The accounts are not mapped to reporting concepts yet. Make a chart from a template, or map accounts with create-mapping-association.',
    );
  }

  /** The company’s style, or the first style that shows every concept in use (reporting Y-1, Y-3). */
  async #style(tx: Transaction, arcs: AccountMapping['arcs']): Promise<StyleStatements> {
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
    const instants = arcs.filter((arc) => arc.concept.periodType === 'instant' && arc.concept.qname !== null);
    const missing = (style: StyleStatements): number => {
      const own = new Set(style.balanceSheet.rows.map((row) => row.qname));
      return instants.filter((arc) => !own.has(style.leafOf(arc.concept.qname ?? '')?.qname ?? '')).length;
    };
    const [best] = [...candidates].sort((a, b) => missing(a) - missing(b));
    if (best === undefined) throw new Error('The library has no reporting style.');
    return best;
  }
}

/** The layout of a style. */
export function layoutOf(style: StyleStatements): Layout {
  return {
    cashFlowStatement: style.cashFlowStatement.rows,
    equityStatement: style.equityStatement.rows,
    comprehensiveIncome: style.comprehensiveIncome.rows,
    cashFlowSources: style.cashFlowSources,
    isDirectCashFlow: style.cashFlowStatement.key !== style.cashFlowSources.network.key,
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

interface Books {
  readonly layout: Layout;
  readonly mapping: AccountMapping;
  readonly accounts: readonly Account[];
  readonly currency: string;
}

interface WindowSums {
  readonly window: Window;
  readonly cumulative: RangeSums;
  readonly movement: RangeSums;
}

/** The parts of the books that are the same for all columns. */
interface ColumnBooks {
  readonly mapping: AccountMapping;
  readonly periods: ReadonlyMap<string, 'instant' | 'duration'>;
  readonly currency: string;
}

function columnOf(
  { mapping, periods, currency }: ColumnBooks,
  { window, cumulative, movement }: WindowSums,
  { cleared, unfinishedDays }: ClearingFlows,
): SourceColumn {
  const concepts = new Map(mapping.arcs.map((arc) => [arc.accountId, arc.concept]));
  const moved = new Map(movement.sums.map((sum) => [sum.accountId, sum.debit - sum.credit]));
  const own = cleared.filter(({ postingDate }) => postingDate >= window.start && postingDate <= window.end);
  const clearedBy = new Map<string, bigint>();
  for (const { accountId, flow } of own) clearedBy.set(accountId, (clearedBy.get(accountId) ?? 0n) + flow);
  const mapped: MappedAmount[] = [];
  const unmapped: UnmappedAmount[] = [];
  const accounts: FlowAccount[] = [];
  const opening: { mapped: MappedAmount[]; unmapped: UnmappedAmount[] } = { mapped: [], unmapped: [] };
  for (const { accountId, debit, credit } of cumulative.sums) {
    const [end, change] = [debit - credit, moved.get(accountId) ?? null];
    const amounts = { cumulative: end, movement: change === null ? null : change + (clearedBy.get(accountId) ?? 0n) };
    const before = { cumulative: end - (change ?? 0n), movement: null };
    const found = concepts.get(accountId);
    accounts.push({
      id: accountId,
      qname: found?.qname ?? undefined,
      opening: before.cumulative,
      end,
      movement: amounts.movement,
    });
    if (found === undefined || found.qname === null) {
      const period = periods.get(accountId) ?? 'instant';
      unmapped.push({ ...amounts, period });
      opening.unmapped.push({ ...before, period });
      continue;
    }
    const concept = mappedConcept(found, found.qname);
    mapped.push({ ...amounts, concept });
    opening.mapped.push({ ...before, concept });
  }
  mapped.push(...equityWithoutLines(mapping, new Set(cumulative.sums.map(({ accountId }) => accountId))));
  const omitted = {
    cumulative: foreignCheck(cumulative, currency),
    movement: foreignCheck(movement, currency),
  };
  const clearingEntryIds = new Set(own.map(({ entryId }) => entryId));
  const unfinishedClosings = unfinishedDays.filter((day) => day >= window.start && day <= window.end);
  return { window, mapped, unmapped, omitted, accounts, opening, clearingEntryIds, unfinishedClosings };
}

/** Equity concepts of accounts without lines have the value zero (reporting S-6). */
function equityWithoutLines({ arcs }: AccountMapping, withLines: ReadonlySet<string>): readonly MappedAmount[] {
  return arcs.flatMap(({ accountId, concept }) => {
    const { qname, periodType, trait } = concept;
    const isEquity = qname !== null && periodType === 'instant' && /equity/i.test(trait ?? '');
    if (!isEquity || withLines.has(accountId)) return [];
    return [{ concept: mappedConcept(concept, qname), cumulative: 0n, movement: null }];
  });
}

function mappedConcept(found: ReportingConcept, qname: string): MappedConcept {
  const { id: elementId, balanceType: balance, periodType: period, trait } = found;
  return { elementId, qname, balance, period, trait };
}
