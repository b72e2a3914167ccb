import { isCalendarDate } from '@pacioli/core/calendar';
import type { JsonSchema } from './definitions.ts';

/** The value of a key if it is a count. Terms that were not validated may have values of any type; others are undefined. */
export function statedCount(terms: JsonSchema, key: string): bigint | undefined {
  const value = terms[key];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
}

export function statedNumber(terms: JsonSchema, key: string): number | undefined {
  const value = terms[key];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function statedDate(terms: JsonSchema, key: string): string | undefined {
  const value = terms[key];
  return typeof value === 'string' && isCalendarDate(value) ? value : undefined;
}

export function statedFields(terms: JsonSchema, key: string): JsonSchema | undefined {
  const value = terms[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
