/** Books of an invented bicycle shop, made by rules so that they are the same everywhere. Amounts are cents. */
export interface DemoLine {
  readonly code: string;
  readonly debit: number;
  readonly credit: number;
}

export interface DemoEvent {
  readonly date: string;
  readonly type: string;
  readonly category: string;
  readonly description: string;
  readonly externalId: string;
  readonly lines: readonly DemoLine[];
}

export const companyName = 'Larkspur Cycle Works, Inc.';
export const years = [2024, 2025] as const;

/** What a year looks like: weekly shop sales, monthly wages, rent and fleet orders. */
const plans = {
  2024: { weeklySales: 620_000, wages: 780_000, rent: 240_000, fleet: 280_000, marketing: 90_000 },
  2025: { weeklySales: 760_000, wages: 810_000, rent: 250_000, fleet: 300_000, marketing: 95_000 },
} as const;

/** Bicycles sell in spring and summer, and before the holidays. */
const season = [60, 65, 90, 115, 135, 140, 135, 125, 105, 90, 85, 110];
const sales_tax_percent = 7;
const cost_percent = 58;
const fee_per_thousand = 26;
const loan_cents = 4_000_000;
const loan_months = 80;
const loan_percent_a_year = 6;

/** All events in order of their dates. */
export function demoEvents(): readonly DemoEvent[] {
  const books = new Books();
  open(books);
  for (const year of years) for (let month = 1; month <= 12; month += 1) keepMonth(books, year, month);
  return books.events.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** Collects events, and remembers what later ones need: what is owed, what is due. */
class Books {
  readonly events: DemoEvent[] = [];
  clearing = 0;
  salesTax = 0;
  payable = 0;
  receivable = 0;
  payrollDue = 0;
  loan = loan_cents;
  prepaid = 0;
  profit = 0;

  record(
    date: string,
    type: string,
    category: string,
    description: string,
    legs: readonly (readonly [code: string, debit: number, credit: number])[],
  ): void {
    const lines = legs
      .filter(([, debit, credit]) => debit + credit > 0)
      .map(([code, debit, credit]) => ({ code, debit, credit }));
    for (const { code, debit, credit } of lines) if (/^[4-8]/.test(code)) this.profit += credit - debit;
    this.events.push({
      date,
      type,
      category,
      description,
      externalId: `larkspur-${String(this.events.length + 1).padStart(4, '0')}`,
      lines,
    });
  }
}

function open(books: Books): void {
  books.record('2024-01-02', 'journal_entry_recorded', 'financing', 'Founders buy their shares', [
    ['1000', 6_000_000, 0],
    ['3000', 0, 1_000_000],
    ['3100', 0, 5_000_000],
  ]);
  books.record('2024-01-02', 'journal_entry_recorded', 'financing', 'Bank loan for the workshop', [
    ['1000', loan_cents, 0],
    ['2700', 0, loan_cents],
  ]);
  books.record('2024-01-03', 'check_written', 'purchase', 'Workshop fittings and tools', [
    ['1500', 3_600_000, 0],
    ['1000', 0, 3_600_000],
  ]);
  books.record('2024-01-03', 'check_written', 'purchase', 'Deposit on the shop', [
    ['1800', 480_000, 0],
    ['1000', 0, 480_000],
  ]);
  books.record('2024-01-04', 'inventory_adjusted', 'purchase', 'First stock of bicycles and parts', [
    ['1200', 2_400_000, 0],
    ['1000', 0, 2_400_000],
  ]);
}

function keepMonth(books: Books, year: (typeof years)[number], month: number): void {
  const plan = plans[year];
  const day = (number: number): string =>
    `${year}-${String(month).padStart(2, '0')}-${String(number).padStart(2, '0')}`;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const seasonal = season[month - 1] ?? 100;
  payWhatIsDue(books, day);
  if (month === 1) insure(books, day(5));
  books.record(day(5), 'check_written', 'purchase', 'Rent of the shop', [
    ['6100', plan.rent, 0],
    ['1000', 0, plan.rent],
  ]);
  let cost = 0;
  for (const [week, date] of [7, 14, 21, 28].entries())
    cost += sell(
      books,
      day(date),
      varied(Math.round((plan.weeklySales * seasonal) / 100), year * 48 + month * 4 + week),
    );
  settle(books, day(last));
  buyStock(books, day(12), cost);
  const fleet = varied(plan.fleet, year * 12 + month);
  books.record(day(16), 'invoice_issued', 'sales', 'Bicycles for the courier cooperative', [
    ['1100', fleet, 0],
    ['4010', 0, fleet],
    ['5000', Math.round(fleet * 0.4), 0],
    ['1200', 0, Math.round(fleet * 0.4)],
  ]);
  books.receivable = fleet;
  books.record(day(10), 'cash_expense_recorded', 'purchase', 'Shop software and telephone', [
    ['6200', 24_900, 0],
    ['1000', 0, 24_900],
  ]);
  books.record(day(18), 'credit_card_charge', 'purchase', 'Advertising and the spring ride', [
    ['6500', plan.marketing, 0],
    ['1000', 0, plan.marketing],
  ]);
  pay(books, day(25), plan.wages);
  const interest = Math.round((books.loan * loan_percent_a_year) / 1200);
  const principal = Math.round(loan_cents / loan_months);
  books.record(day(26), 'journal_entry_recorded', 'financing', 'Instalment of the bank loan', [
    ['2700', principal, 0],
    ['7100', interest, 0],
    ['1000', 0, principal + interest],
  ]);
  books.loan -= principal;
  books.record(day(last), 'journal_entry_recorded', 'recognition', 'Depreciation of fittings', [
    ['6900', 60_000, 0],
    ['1590', 0, 60_000],
  ]);
  if (month % 3 === 0) recognise(books, day(last));
  if (month === 12) endYear(books, year);
}

/** What the month before left to pay and to collect. */
function payWhatIsDue(books: Books, day: (number: number) => string): void {
  if (books.payable > 0)
    books.record(day(8), 'bill_paid', 'purchase', 'Payment to the wholesaler', [
      ['2000', books.payable, 0],
      ['1000', 0, books.payable],
    ]);
  if (books.receivable > 0)
    books.record(day(9), 'payment_received', 'sales', 'The cooperative pays its invoice', [
      ['1000', books.receivable, 0],
      ['1100', 0, books.receivable],
    ]);
  if (books.payrollDue > 0)
    books.record(day(11), 'journal_entry_recorded', 'payroll', 'Payroll taxes to the authorities', [
      ['2200', books.payrollDue, 0],
      ['1000', 0, books.payrollDue],
    ]);
  const month = Number(day(1).slice(5, 7));
  if (month % 3 === 1 && books.salesTax > 0) {
    books.record(day(20), 'journal_entry_recorded', 'treasury', 'Sales tax of the quarter', [
      ['2300', books.salesTax, 0],
      ['1000', 0, books.salesTax],
    ]);
    books.salesTax = 0;
  }
  books.payable = 0;
  books.receivable = 0;
  books.payrollDue = 0;
}

function sell(books: Books, date: string, net: number): number {
  const tax = Math.round((net * sales_tax_percent) / 100);
  const cost = Math.round((net * cost_percent) / 100);
  books.record(date, 'sales_receipt_recorded', 'sales', 'Sales of the week in the shop', [
    ['1020', net + tax, 0],
    ['4000', 0, net],
    ['2300', 0, tax],
    ['5000', cost, 0],
    ['1200', 0, cost],
  ]);
  books.clearing += net + tax;
  books.salesTax += tax;
  return cost;
}

/** The card company pays out what the tills took, less its fee. */
function settle(books: Books, date: string): void {
  const fee = Math.round((books.clearing * fee_per_thousand) / 1000);
  books.record(date, 'deposit_received', 'treasury', 'Card payouts of the month', [
    ['1000', books.clearing - fee, 0],
    ['5040', fee, 0],
    ['1020', 0, books.clearing],
  ]);
  books.clearing = 0;
}

function buyStock(books: Books, date: string, cost: number): void {
  const goods = Math.round(cost * 1.02);
  const freight = Math.round(goods * 0.015);
  books.record(date, 'bill_received', 'purchase', 'Bicycles and parts from the wholesaler', [
    ['1200', goods, 0],
    ['5010', freight, 0],
    ['2000', 0, goods + freight],
  ]);
  books.payable = goods + freight;
}

function pay(books: Books, date: string, wages: number): void {
  const withheld = Math.round(wages * 0.22);
  const employer = Math.round(wages * 0.08);
  books.record(date, 'journal_entry_recorded', 'payroll', 'Wages of the month', [
    ['6000', wages, 0],
    ['6050', employer, 0],
    ['1000', 0, wages - withheld],
    ['2200', 0, withheld + employer],
  ]);
  books.payrollDue = withheld + employer;
}

function insure(books: Books, date: string): void {
  books.record(date, 'check_written', 'purchase', 'Insurance for the year', [
    ['1300', 360_000, 0],
    ['1000', 0, 360_000],
  ]);
  books.prepaid = 360_000;
}

function recognise(books: Books, date: string): void {
  books.record(date, 'journal_entry_recorded', 'recognition', 'Insurance of the quarter', [
    ['6300', 90_000, 0],
    ['1300', 0, 90_000],
  ]);
  books.prepaid -= 90_000;
}

function endYear(books: Books, year: number): void {
  if (books.profit <= 0) return;
  const tax = Math.round(books.profit * 0.21);
  books.record(`${year}-12-31`, 'journal_entry_recorded', 'adjustment', 'Income tax of the year', [
    ['8000', tax, 0],
    ['2100', 0, tax],
  ]);
  if (year === 2025)
    books.record(`${year}-12-30`, 'journal_entry_recorded', 'financing', 'Dividend', [
      ['3300', 300_000, 0],
      ['1000', 0, 300_000],
    ]);
}

/** Moves an amount a little up or down, the same way every time. */
function varied(cents: number, seed: number): number {
  return cents + (((seed * 7919) % 997) - 498) * 37;
}
