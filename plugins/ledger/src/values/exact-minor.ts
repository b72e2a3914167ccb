import { invalidInput } from '@pacioli/core';
import { maxAmount } from './money.ts';

/**
 * Converts a sum of minor units to a JSON number; 422 when it would be rounded (ledger L-2). `what` begins the message.
 */
export function exactMinor(minor: bigint, what: string): number {
  const sum = Number(minor);
  if (Number.isSafeInteger(sum)) return sum;
  throw invalidInput(`${what} is above ${maxAmount} minor units, the largest amount that a response carries exactly.`);
}
