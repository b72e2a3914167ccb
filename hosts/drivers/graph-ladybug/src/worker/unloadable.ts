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
  if (type === 'DATE' || type === 'TIMESTAMP')
    return `(${value} IS NOT NULL AND coalesce(NOT ${hasFourDigitYear(`TRY_CAST(${value} AS ${type})`, type)}, true))`;
  return conditionOf(value, valueType(type), 0);
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
