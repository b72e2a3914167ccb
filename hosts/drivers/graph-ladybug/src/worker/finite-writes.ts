/**
 * The engine takes a column for constant when all its numbers are equal but one that is NaN, and JSON has no such number.
 * So a write that leaves one is undone. It looks for one only where the statement could have made it.
 */
import { unionMembers } from '@pacioli/worker-process/duckdb-text';
import { type ValueType, valueType } from '@pacioli/worker-process/value-types';
import type { PropertyTypes } from './exact-values.ts';

export interface FiniteCheck {
  readonly table: string;
  readonly properties: readonly string[];
  /** For `value`, a node or relationship of the table. */
  readonly condition: string;
}

const arrows = /<-|->|--|-\[|\]-/g;
/** Operators, numbers with an exponent, and functions. Words before other brackets are those of clauses. */
const arithmetic =
  /[-+*/^%]|\d[eE]\d|(?!\b(?:MATCH|CREATE|MERGE|WHERE|AND|OR|XOR|NOT|IN|WITH|RETURN|SET|ON|BY)\b)\b[A-Za-z_]\w*\s*\(/i;

/** The checks after a statement that writes: of the tables with floating properties that it names. */
export function finiteChecks(text: string, properties: PropertyTypes): readonly FiniteCheck[] {
  const calculates = arithmetic.test(text.replaceAll(arrows, ';'));
  const lower = text.toLowerCase();
  return [...properties].flatMap(([table, columns]) => {
    const found = [...columns].flatMap(([name, type]) => {
      // A finite number may be too large for a FLOAT, whatever the statement.
      const canBeInfinite = calculates || /FLOAT/.test(type);
      const isNamed = lower.includes(name.toLowerCase());
      const condition = canBeInfinite && isNamed ? notFinite(`value.\`${name}\``, valueType(type)) : undefined;
      return condition === undefined ? [] : [{ name, condition }];
    });
    if (found.length === 0) return [];
    const condition = found.map((each) => each.condition).join(' OR ');
    return [{ table, properties: found.map(({ name }) => name), condition }];
  });
}

function notFinite(value: string, type: ValueType): string | undefined {
  // NaN and infinity have no difference from themselves.
  if (type.kind === 'scalar') {
    const isUnion = unionMembers(type.type)?.some((member) => /^(?:DOUBLE|FLOAT)$/.test(member)) === true;
    if (isUnion) return `cast(${value} AS STRING) IN ['inf', '-inf', 'nan', '-nan']`;
    return isFloating(type) ? `${value} - ${value} <> 0.0` : undefined;
  }
  if (type.kind === 'struct') {
    const fields = type.fields.flatMap((field) => notFinite(`${value}.\`${field.name}\``, field.type) ?? []);
    return fields.length === 0 ? undefined : `(${fields.join(' OR ')})`;
  }
  if (type.kind === 'map') return isFloating(type.value) ? hasWord(`map_values(${value})`) : undefined;
  return isFloating(type.item) ? hasWord(value) : undefined;
}

/** True for a floating number and for lists of them. A list of records has texts, which may have every word. */
function isFloating(type: ValueType): boolean {
  return type.kind === 'list' ? isFloating(type.item) : type.kind === 'scalar' && /^(?:DOUBLE|FLOAT)$/.test(type.type);
}

/** `nan` and `inf` are all that has this letter among numbers. The engine ends in its functions of lists of arrays. */
const hasWord = (list: string): string => `contains(cast(${list} AS STRING), 'n')`;
