import { isCalendarDate, plusDays } from '@pacioli/core/calendar';
import { maxCents } from '../values/index.ts';

/** The value of a cell, or what to do about it. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

const decimalPattern = /^(\d{1,20})(?:\.(\d{1,18}))?$/;

/** A quantity as exact decimal text: at most 20 digits before and 18 after the point (I-9). */
export function readQuantity(cell: string): Read<string> {
  const match = decimalPattern.exec(cell);
  if (match === null)
    return { problem: `'${shown(cell)}' is not a quantity. Write a number of 0 or more, such as 250 or 0.125.` };
  const [, whole = '', decimals] = match;
  const digits = whole.replace(/^0+(?=\d)/, '');
  return { value: decimals === undefined ? digits : `${digits}.${decimals}` };
}

/** An amount of major units as hundredths (I-8). */
export function readAmount(cell: string): Read<number> {
  const match = decimalPattern.exec(cell);
  const [, whole = '', decimals = ''] = match ?? [];
  const rest = decimals.replace(/0+$/, '');
  if (match === null || rest.length > 2)
    return {
      problem: `'${shown(cell)}' is not an amount. Write 0 or more with at most two decimals, such as 1234.56.`,
    };
  const cents = BigInt(whole) * 100n + BigInt(rest.padEnd(2, '0'));
  if (cents > BigInt(maxCents)) return { problem: `'${shown(cell)}' is too large. The limit is 90071992547409.91.` };
  return { value: Number(cents) };
}

/** A calendar date of at most one day after today (P-6). */
export function readPastDate(cell: string, today: string): Read<string> {
  const date = readDate(cell);
  if ('problem' in date || date.value <= plusDays(today, 1)) return date;
  return { problem: `${cell} is in the future. Write a date that is not after today.` };
}

function readDate(cell: string): Read<string> {
  if (isCalendarDate(cell)) return { value: cell };
  return { problem: `'${shown(cell)}' is not a date. Write one that exists as YYYY-MM-DD, such as 2026-03-31.` };
}

export function readCurrency(cell: string): Read<string> {
  const currency = cell.toUpperCase();
  if (/^[A-Z]{3}$/.test(currency)) return { value: currency };
  return { problem: `'${shown(cell)}' is not a currency. Write three letters of ISO 4217, such as USD.` };
}

/** A whole number that JSON carries exactly. */
export function readCount(cell: string): Read<number> {
  const count = Number(cell);
  if (/^\d{1,16}$/.test(cell) && Number.isSafeInteger(count)) return { value: count };
  return { problem: `'${shown(cell)}' is not a count. Write a whole number of 0 or more, without separators.` };
}

/** The number of a company in public filings, with ten digits (J-1). */
export function readCik(cell: string): Read<string> {
  if (/^\d{1,10}$/.test(cell)) return { value: cell.padStart(10, '0') };
  return { problem: `'${shown(cell)}' is not a CIK. Write up to ten digits, such as 0000320193.` };
}

export function readQuantityType(cell: string): Read<string> {
  if (/^[a-z][a-z0-9_]{0,39}$/.test(cell)) return { value: cell };
  return { problem: `'${shown(cell)}' is not a quantity type. Write shares, units, principal or percentage.` };
}

export function readObject(cell: string): Read<Readonly<Record<string, unknown>>> {
  const problem = `'${shown(cell)}' is not a JSON object. Write one such as {"coupon_rate_bps": 425}.`;
  try {
    const value: unknown = JSON.parse(cell);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem };
    if (JSON.stringify(value).includes('\\u0000'))
      return { problem: 'A text has the character U+0000, which cannot be stored. Remove it.' };
    return { value: { ...value } };
  } catch {
    return { problem };
  }
}

export function readText(cell: string, maxChars: number): Read<string> {
  if (cell.length <= maxChars) return { value: cell };
  return { problem: `The text has ${cell.length} characters. Shorten it to ${maxChars}.` };
}

const maxShownChars = 40;

/** A cell in a message: its beginning, without line breaks. */
function shown(cell: string): string {
  const line = cell.replaceAll(/\s+/g, ' ');
  return line.length > maxShownChars ? `${line.slice(0, maxShownChars)}…` : line;
}
