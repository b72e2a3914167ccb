import { invalidInput } from '@pacioli/core';

/** The largest amount that JSON carries exactly, in minor units (ledger L-2). */
export const maxAmount = Number.MAX_SAFE_INTEGER;

/** The functional currency of books that have none yet (ledger L-5a). */
export const defaultCurrency = 'USD';

/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const exponents: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** True for an ISO 4217 code in upper case (ledger L-5). */
export function isCurrency(text: string): boolean {
  return currencies.has(text);
}

/** Digits after the point of a currency's major unit (ledger L-3). */
export function minorDigits(currency: string): number {
  return exponents[currency] ?? 2;
}

/** Minor units as exact decimal text in major units (ledger L-3). */
export function majorText(minor: bigint, currency: string): string {
  const digits = minorDigits(currency);
  if (digits === 0) return minor.toString();
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  return `${minor < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * Minor units as the double nearest to the exact amount in major units: the decimal is written out first, so that the
 * only rounding is the one to a double (ledger L-3).
 */
export function majorUnits(minor: bigint, currency: string): number {
  return Number(majorText(minor, currency));
}

/**
 * Converts a sum of minor units to a JSON number; 422 when it would be rounded (ledger L-2). `what` begins the message.
 */
export function exactMinor(minor: bigint, what: string): number {
  const sum = Number(minor);
  if (Number.isSafeInteger(sum)) return sum;
  throw invalidInput(`${what} is above ${maxAmount} minor units, the largest amount that a response carries exactly.`);
}
