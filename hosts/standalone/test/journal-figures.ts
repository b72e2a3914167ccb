import type { JournalLine, RealBook } from './real-books.ts';

/** A year of a report. */
export interface Year {
  readonly start: string;
  readonly end: string;
  /** The day before the year. */
  readonly opening: string;
}

export function yearOf(year: number): Year {
  return { start: `${year}-01-01`, end: `${year}-12-31`, opening: `${year - 1}-12-31` };
}

/** Figures by concept and date, in cents with the sign of a report: `Assets 2024-12-31`, `ProfitLoss 2024-01-01/2024-12-31`. */
export type Figures = Readonly<Record<string, bigint>>;

type Kind = 'asset' | 'liability' | 'equity' | 'result';

const roots: Readonly<Record<string, Kind>> = {
  Assets: 'asset',
  Liabilities: 'liability',
  Equity: 'equity',
  Income: 'result',
  Expenses: 'result',
  1: 'asset',
  2: 'liability',
  3: 'equity',
};

/** Accounts have the name of their class, or numbers that begin with the digit of the class. */
function kindOf(account: string): Kind {
  return roots[account.split(':')[0] ?? ''] ?? roots[account.slice(0, 1)] ?? 'result';
}

const isThrough = (end: string) => (line: JournalLine) => line.date <= end;
const isIn = (year: Year) => (line: JournalLine) => line.date >= year.start && line.date <= year.end;

/** Debits less credits of the lines for which all conditions hold. */
function sumOf(lines: readonly JournalLine[], ...conditions: readonly ((line: JournalLine) => boolean)[]): bigint {
  return lines.filter((line) => conditions.every((holds) => holds(line))).reduce((sum, { cents }) => sum + cents, 0n);
}

const isOf =
  (...kinds: readonly Kind[]) =>
  ({ account }: JournalLine) =>
    kinds.includes(kindOf(account));

const cashTotal = 'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
const equityTotal = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';

/** The totals of the statements of a year, added up from journal lines alone. */
export function totalsOf(lines: readonly JournalLine[], concepts: ReadonlyMap<string, string>, year: Year): Figures {
  const isCash = ({ account }: JournalLine) => concepts.get(account) === 'CashAndCashEquivalentsAtCarryingValue';
  const assets = sumOf(lines, isOf('asset'), isThrough(year.end));
  const equityAt = (day: string) => -sumOf(lines, isOf('equity', 'result'), isThrough(day));
  const income = -sumOf(lines, isOf('result'), isIn(year));
  const during = `${year.start}/${year.end}`;
  return {
    [`Assets ${year.end}`]: assets,
    [`LiabilitiesAndStockholdersEquity ${year.end}`]: assets,
    [`Liabilities ${year.end}`]: -sumOf(lines, isOf('liability'), isThrough(year.end)),
    [`StockholdersEquity ${year.end}`]: equityAt(year.end),
    [`${equityTotal} ${year.end}`]: equityAt(year.end),
    [`${equityTotal} ${year.opening}`]: equityAt(year.opening),
    [`ProfitLoss ${during}`]: income,
    [`NetIncomeLoss ${during}`]: income,
    [`ComprehensiveIncomeNetOfTax ${during}`]: income,
    [`${cashTotal} ${year.end}`]: sumOf(lines, isCash, isThrough(year.end)),
    [`${cashTotal} ${year.opening}`]: sumOf(lines, isCash, isThrough(year.opening)),
    [`${cashTotal}PeriodIncreaseDecreaseIncludingExchangeRateEffect ${during}`]: sumOf(lines, isCash, isIn(year)),
  };
}

/** Expenses into which an income statement adds up the details that it does not show. */
export const expensesOfDetails = ['GeneralAndAdministrativeExpense', 'SellingAndMarketingExpense'];

/** The amount of each concept that accounts are mapped to, in a year or at its end. */
export function conceptsOf(
  lines: readonly JournalLine[],
  concepts: ReadonlyMap<string, string>,
  balances: ReadonlyMap<string, 'debit' | 'credit'>,
  year: Year,
): Figures {
  const figures: Record<string, bigint> = {};
  for (const line of lines) {
    const concept = concepts.get(line.account);
    if (concept === undefined) throw new Error(`Account ${line.account} has no concept.`);
    // A distribution account is reported as a payment of the year, although its number is that of equity.
    const isFlow = kindOf(line.account) === 'result' || concept.startsWith('Payments');
    // Retained earnings include net income.
    if (concept.startsWith('RetainedEarnings') || !(isFlow ? isIn(year) : isThrough(year.end))(line)) continue;
    const key = `${concept} ${isFlow ? `${year.start}/${year.end}` : year.end}`;
    // Payments are positive in the sense of their name (reporting F-8), whatever balance their concept has.
    const isCredit = balances.get(concept) === 'credit' && !concept.startsWith('Payments');
    figures[key] = (figures[key] ?? 0n) + (isCredit ? -line.cents : line.cents);
  }
  return figures;
}

/** The cash flow of books whose only noncash assets are securities, by section. */
export function sectionsOf(
  book: RealBook,
  lines: readonly JournalLine[],
  concepts: ReadonlyMap<string, string>,
  year: Year,
): Figures {
  if (!book.tradesOnlySecurities) return {};
  const has = (pattern: RegExp) => (line: JournalLine) => pattern.test(concepts.get(line.account) ?? '');
  const during = `${year.start}/${year.end}`;
  const cash = sumOf(lines, has(/^CashAnd/), isIn(year));
  // The proceeds of securities are their cost and the gain.
  const investing = -sumOf(lines, has(/^MarketableSecurities|^GainLossOnInvestments/), isIn(year));
  const financing = -sumOf(lines, isOf('equity'), isIn(year));
  return {
    [`NetCashProvidedByUsedInInvestingActivities ${during}`]: investing,
    [`NetCashProvidedByUsedInFinancingActivities ${during}`]: financing,
    [`NetCashProvidedByUsedInOperatingActivities ${during}`]: cash - investing - financing,
  };
}
