import { isCalendarDate } from '@pacioli/core/calendar';
import type { JsonSchema } from './definitions.ts';

/** Terms may be of any form where they are not validated, so these give only values of the right type. */
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
