import { invalidInput } from '@pacioli/core';

/** Quantities have at most 20 digits before and 18 after the point (I-9). */
const quantityBelow = 1e20;
const maxDecimals = 18;

/** A quantity as exact decimal text; throws 422 unless it is from 0 to below 10^20 with at most 18 decimals (I-9). */
export function quantityText(quantity: number, field: string): string {
  if (!(quantity >= 0 && quantity < quantityBelow))
    throw invalidInput(`${field}: must be a number from 0 to below 10^20.`);
  // The shortest text of the double is what the caller sent. Only numbers below 10^-6 have an exponent in it.
  const shortest = String(quantity);
  const text = shortest.includes('e') ? quantity.toFixed(maxDecimals) : shortest;
  const [, decimals = ''] = text.split('.');
  if (decimals.length > maxDecimals || Number(text) !== quantity)
    throw invalidInput(`${field}: must have at most 18 decimals. Round it.`);
  return text;
}
