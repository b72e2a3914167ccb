import type { ColumnType } from '../store/analytical.ts';

/** Why the embedded engine does not keep values of a type as they are, with the remedy; undefined if it does. */
export function reasonNotStored(type: ColumnType): string | undefined {
  if (/\bSTRUCT\(/.test(type))
    return 'The engine returns fields of a record that are empty with values of other rows: use a property for each field, or STRING with JSON.';
  if (/DECIMAL/.test(type) && !/^DECIMAL\([^)]*\)$/.test(type))
    return 'A DECIMAL within another type cannot be loaded: use STRING, or a property of its own.';
  // The values of a union are texts.
  if (/\bINT128\b/.test(type) && !/^(?:INT128|UNION\(.*\))$/.test(type))
    return 'An INT128 within another type loses digits: use STRING, or a property of its own.';
  return undefined;
}
