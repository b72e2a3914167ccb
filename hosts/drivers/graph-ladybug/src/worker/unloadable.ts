import {
  hasFourDigitYear,
  literal,
  quoted,
  smallestNumbers,
  smallestOfMembers,
} from '@pacioli/worker-process/duckdb-text';
import { type ValueType, valueType } from '@pacioli/worker-process/value-types';

/** The condition for values of a column that the engine does not read as they are; undefined if it reads all of them. */
export function unloadable({ name, type }: { readonly name: string; readonly type: string }): string | undefined {
  const value = quoted(name);
  const isOutside = `coalesce(NOT ${hasFourDigitYear(`TRY_CAST(${value} AS ${type})`, type)}, true)`;
  if (type === 'DATE') return `(${value} IS NOT NULL AND ${isOutside})`;
  if (type === 'TIMESTAMP') return `(${value} IS NOT NULL AND (${isOutside} OR ${isOutsideByOffset(value)}))`;
  return conditionOf(value, valueType(type), 0);
}

/** A cast to TIMESTAMP ignores the offset of a text. */
const hasOffset = (value: string): string => `regexp_matches(CAST(${value} AS VARCHAR), ':[0-9.]+ *[+-][0-9:]+$')`;

/** The expression for an instant in UTC. */
export function instant(value: string): string {
  const inUtc = `make_timestamp(epoch_us(CAST(${value} AS TIMESTAMPTZ)))`;
  return `CASE WHEN ${hasOffset(value)} THEN ${inUtc} ELSE CAST(${value} AS TIMESTAMP) END`;
}

function isOutsideByOffset(value: string): string {
  const given = `TRY_CAST(${value} AS TIMESTAMPTZ)`;
  const years = "TIMESTAMPTZ '0001-01-01 00:00:00+00' AND TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'";
  return `(${hasOffset(value)} AND coalesce(${given} NOT BETWEEN ${years}, true))`;
}

function conditionOf(value: string, type: ValueType, depth: number): string | undefined {
  if (type.kind === 'scalar') return scalarCondition(value, type.type);
  const some = (list: string, item: ValueType): string | undefined => {
    const name = `_item${depth}`;
    const condition = conditionOf(name, item, depth + 1);
    return condition === undefined ? undefined : `len(list_filter(${list}, lambda ${name}: ${condition})) > 0`;
  };
  if (type.kind === 'list') return some(value, type.item);
  const parts =
    type.kind === 'map'
      ? [some(`map_keys(${value})`, type.key), some(`map_values(${value})`, type.value)]
      : type.fields.map((field) => conditionOf(`${value}.${quoted(field.name)}`, field.type, depth));
  const conditions = parts.filter((part) => part !== undefined);
  return conditions.length === 0 ? undefined : `(${conditions.join(' OR ')})`;
}

function scalarCondition(value: string, type: string): string | undefined {
  // The engine reads the smallest number as 0.
  const smallest = smallestNumbers[type];
  if (smallest !== undefined) return `${value} = ${smallest}`;
  // No answer could have such a date (graphs Q-45).
  if (type === 'DATE' || type === 'TIMESTAMP') return `NOT ${hasFourDigitYear(value, type)}`;
  // The engine takes equal numbers with one that is not finite for a constant column, and JSON has none.
  if (type === 'FLOAT' || type === 'DOUBLE') return `NOT isfinite(${value})`;
  return type.startsWith('UNION') ? unionCondition(value, type) : undefined;
}

/** Values of a union are text here. */
function unionCondition(value: string, type: string): string | undefined {
  const smallest = smallestOfMembers(type).map(literal);
  const conditions = [
    ...(/\b(?:FLOAT|DOUBLE)\b/.test(type) ? [`NOT isfinite(TRY_CAST(${value} AS DOUBLE))`] : []),
    ...(smallest.length > 0 ? [`${value} IN (${smallest.join(', ')})`] : []),
  ];
  return conditions.length === 0 ? undefined : `coalesce(${conditions.join(' OR ')}, false)`;
}
