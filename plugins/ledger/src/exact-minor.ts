import { invalidInput } from '@pacioli/core';
import { maxAmount } from './domain/money.ts';

/**
 * A sum of minor units as JSON carries it; 422 for one that would be rounded (ledger L-2). `what` begins the message.
 */
export function exactMinor(minor: bigint, what: string): number {
  const sum = Number(minor);
  if (Number.isSafeInteger(sum)) return sum;
  throw invalidInput(`${what} is above ${maxAmount} minor units, more than an answer carries exactly.`);
}
