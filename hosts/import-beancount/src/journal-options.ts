import { type Decimal, parseDecimal } from './decimal.ts';
import { type BookingMethod, bookingMethods, type JournalOption } from './directives.ts';
import { JournalError, type JournalProblem } from './problem.ts';

/** The trait of an account, which follows from the first part of its name. */
export type AccountTrait = 'asset' | 'liability' | 'equity' | 'revenue' | 'expense';

/** The options of a journal that affect booking. */
export interface BookingOptions {
  readonly operatingCurrencies: readonly string[];
  readonly toleranceMultiplier: Decimal;
  /** The least tolerance by currency, which a transaction can only raise; "*" is every currency without another. */
  readonly toleranceDefaults: ReadonlyMap<string, Decimal>;
  readonly inferToleranceFromCost: boolean;
  readonly bookingMethod: BookingMethod;
  /** First part of an account name to its trait, as set by name_assets and the similar options. */
  readonly roots: ReadonlyMap<string, AccountTrait>;
}

const rootOptions: Readonly<Record<string, readonly [string, AccountTrait]>> = {
  name_assets: ['Assets', 'asset'],
  name_liabilities: ['Liabilities', 'liability'],
  name_equity: ['Equity', 'equity'],
  name_income: ['Income', 'revenue'],
  name_expenses: ['Expenses', 'expense'],
};

const decimalText = /^\d+(?:\.\d*)?$/;

function readDecimal(option: JournalOption, text: string, problems: JournalProblem[]): Decimal | null {
  if (decimalText.test(text)) return parseDecimal(text);
  const message = `option "${option.name}" needs a number but is "${option.value}"; correct the value.`;
  problems.push({ file: option.file, line: option.line, message });
  return null;
}

/** Reads the options that affect booking; all others are accepted and ignored. Throws JournalError. */
export function readBookingOptions(options: readonly JournalOption[]): BookingOptions {
  const problems: JournalProblem[] = [];
  const operatingCurrencies: string[] = [];
  const toleranceDefaults = new Map<string, Decimal>();
  const names = new Map(Object.entries(rootOptions).map(([option, [name]]) => [option, name]));
  let toleranceMultiplier = parseDecimal('0.5');
  let inferToleranceFromCost = false;
  let bookingMethod: BookingMethod = 'STRICT';
  for (const option of options) {
    if (names.has(option.name)) names.set(option.name, option.value);
    else if (option.name === 'operating_currency') operatingCurrencies.push(option.value);
    else if (option.name === 'infer_tolerance_from_cost') {
      inferToleranceFromCost = ['true', 'on', '1'].includes(option.value.toLowerCase());
    } else if (['inferred_tolerance_multiplier', 'tolerance_multiplier'].includes(option.name)) {
      toleranceMultiplier = readDecimal(option, option.value, problems) ?? toleranceMultiplier;
    } else if (['inferred_tolerance_default', 'default_tolerance'].includes(option.name)) {
      const [currency = '', written = ''] = option.value.split(':');
      const number = readDecimal(option, written, problems);
      if (number !== null) toleranceDefaults.set(currency, number);
    } else if (option.name === 'booking_method') {
      const method = bookingMethods.find((candidate) => candidate === option.value);
      const message = `"${option.value}" is not a booking method; use one of ${bookingMethods.join(', ')}.`;
      if (method === undefined) problems.push({ file: option.file, line: option.line, message });
      else bookingMethod = method;
    }
  }
  if (problems.length > 0) throw new JournalError(problems);
  const roots = new Map(Object.entries(rootOptions).map(([key, [name, trait]]) => [names.get(key) ?? name, trait]));
  return { operatingCurrencies, toleranceMultiplier, toleranceDefaults, inferToleranceFromCost, bookingMethod, roots };
}

/** The trait of an account by the first part of its name, or null if that is none of the five. */
export function traitOf(account: string, roots: BookingOptions['roots']): AccountTrait | null {
  return roots.get(account.slice(0, account.indexOf(':'))) ?? null;
}

/** The journal's name for equity accounts. */
export function equityRoot(roots: BookingOptions['roots']): string {
  for (const [name, trait] of roots) if (trait === 'equity') return name;
  return 'Equity';
}
