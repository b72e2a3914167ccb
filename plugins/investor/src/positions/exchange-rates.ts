import type { CollectionEntry, Transaction } from '@pacioli/core';
import { fromDecimal, rational, roundHalfEven, times } from '../values/index.ts';

/** Converts positions in other currencies for totals; without a contributor they are left out. */
export interface ExchangeRateSource extends CollectionEntry {
  /**
   * Returns for each known currency the units of `to` for one unit of it, as exact decimal text such as `1.0842`.
   * Unknown currencies have no entry. The first source that knows a currency decides.
   */
  rates(
    tx: Transaction,
    request: { readonly from: readonly string[]; readonly to: string },
  ): Promise<ReadonlyMap<string, string>>;
}

const decimalForm = /^\d{1,20}(\.\d{1,20})?$/;

/** Asks the sources in their order for the rates of the currencies; one call for each source that is needed. */
export async function ratesFrom(
  sources: readonly ExchangeRateSource[],
  tx: Transaction,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  for (const source of sources) {
    const missing = from.filter((currency) => !known.has(currency));
    if (missing.length === 0) break;
    for (const [currency, rate] of await source.rates(tx, { from: missing, to })) {
      if (!decimalForm.test(rate))
        throw new Error(`The exchange rate '${rate}' of ${currency} is not a decimal number.`);
      if (missing.includes(currency)) known.set(currency, rate);
    }
  }
  return known;
}

/** Multiplies an amount by a rate of decimal text, exactly, and rounds half to even. */
export function convertedCents(cents: bigint, rate: string): bigint {
  return roundHalfEven(times(rational(cents), fromDecimal(rate)));
}
