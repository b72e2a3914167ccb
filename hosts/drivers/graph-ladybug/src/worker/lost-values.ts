/**
 * The engine loses some values. It takes a column for constant when all its numbers are equal but one that is NaN, and JSON
 * has no such number; and it reads the smallest number of a signed type as 0 when the other numbers of the column need
 * fewer bits. And a date outside of the years 1 to 9999 could not be read again (graphs T-6). So a write that leaves such a
 * value is undone. It is looked for only where the statement could have made it.
 */
import { smallestNumbers, smallestOfMembers, unionMembers } from '@pacioli/worker-process/duckdb-text';
import { type ValueType, valueType } from '@pacioli/worker-process/value-types';
import type { PropertyTypes } from './exact-values.ts';

export interface LostValueCheck {
  readonly table: string;
  readonly properties: readonly string[];
  /** For `value`, a node or relationship of the table. */
  readonly condition: string;
  /** Why nothing was written. */
  readonly message: string;
}

/** The condition for a value of a type that is one number, and for a list of such values as text. */
interface LostScalar {
  scalar(value: string, type: string): string | undefined;
  /** Lists are judged by their text, because the engine ends in its functions of lists of arrays. */
  text(list: string, type: string): string | undefined;
}

const arrows = /<-|->|--|-\[|\]-/g;
/** Operators, numbers with an exponent, and functions. Words before other brackets are those of clauses. */
const arithmetic =
  /[-+*/^%]|\d[eE]\d|(?!\b(?:MATCH|CREATE|MERGE|WHERE|AND|OR|XOR|NOT|IN|WITH|RETURN|SET|ON|BY)\b)\b[A-Za-z_]\w*\s*\(/i;

const isFloating = (type: string): boolean => /^(?:DOUBLE|FLOAT)$/.test(type);

const notFinite: LostScalar = {
  scalar(value, type) {
    const isUnion = unionMembers(type)?.some(isFloating) === true;
    if (isUnion) return `cast(${value} AS STRING) IN ['inf', '-inf', 'nan', '-nan']`;
    // NaN and infinity have no difference from themselves.
    return isFloating(type) ? `${value} - ${value} <> 0.0` : undefined;
  },
  // `nan` and `inf` are all that has this letter among numbers.
  text: (list, type) => (isFloating(type) ? `contains(cast(${list} AS STRING), 'n')` : undefined),
};

const smallest: LostScalar = {
  scalar(value, type) {
    const ofMembers = smallestOfMembers(type).map((number) => `'${number}'`);
    if (ofMembers.length > 0) return `cast(${value} AS STRING) IN [${ofMembers.join(', ')}]`;
    const number = smallestNumbers[type];
    return number === undefined ? undefined : `${value} = cast('${number}' AS ${type})`;
  },
  // No other number of the type has these digits.
  text(list, type) {
    const number = smallestNumbers[type];
    return number === undefined ? undefined : `contains(cast(${list} AS STRING), '${number}')`;
  },
};

/** No number of a list of dates or instants has five digits, and no year of four digits is before Christ. */
const fiveDigitsOrEarlier = '[0-9]{5,}-|BC';

const outsideOfCalendar: LostScalar = {
  scalar(value, type) {
    if (type === 'DATE') return `(${value} < date('0001-01-01') OR ${value} > date('9999-12-31'))`;
    if (!type.startsWith('TIMESTAMP')) return undefined;
    return `regexp_matches(cast(${value} AS STRING), '^[0-9]{5,}-|BC')`;
  },
  text: (list, type) =>
    /^(?:DATE|TIMESTAMP)/.test(type) ? `regexp_matches(cast(${list} AS STRING), '${fiveDigitsOrEarlier}')` : undefined,
};

/** The checks after a statement that writes: of the tables with such properties that it names. */
export function lostValueChecks(text: string, properties: PropertyTypes): readonly LostValueCheck[] {
  const calculates = arithmetic.test(text.replaceAll(arrows, ';'));
  const lower = text.toLowerCase();
  return [...properties].flatMap(([table, columns]) => {
    const named = [...columns].filter(([name]) => lower.includes(name.toLowerCase()));
    // A finite number may be too large for a FLOAT, whatever the statement.
    const canBeInfinite = named.filter(([, type]) => calculates || /FLOAT/.test(type));
    return [
      ...checkOf(table, canBeInfinite, notFinite, `a number in ${table} would not be finite`),
      ...checkOf(table, named, smallest, `the engine cannot keep the smallest number of a type in ${table}`),
      ...checkOf(
        table,
        named,
        outsideOfCalendar,
        `a date or timestamp in ${table} would be outside of the years 1 to 9999`,
      ),
    ];
  });
}

function checkOf(
  table: string,
  columns: readonly (readonly [string, string])[],
  lost: LostScalar,
  reason: string,
): readonly LostValueCheck[] {
  const found = columns.flatMap(([name, type]) => {
    const condition = conditionOf(`value.\`${name}\``, valueType(type), lost);
    return condition === undefined ? [] : [{ name, condition }];
  });
  if (found.length === 0) return [];
  const properties = found.map(({ name }) => name);
  const condition = found.map((each) => each.condition).join(' OR ');
  return [{ table, properties, condition, message: `Nothing was written, because ${reason}` }];
}

function conditionOf(value: string, type: ValueType, lost: LostScalar): string | undefined {
  if (type.kind === 'scalar') return lost.scalar(value, type.type);
  if (type.kind === 'list') return lostInList(value, type.item, lost);
  const conditions =
    type.kind === 'struct'
      ? type.fields.map((field) => conditionOf(`${value}.\`${field.name}\``, field.type, lost))
      : [lostInList(`map_keys(${value})`, type.key, lost), lostInList(`map_values(${value})`, type.value, lost)];
  const found = conditions.filter((condition) => condition !== undefined);
  return found.length === 0 ? undefined : `(${found.join(' OR ')})`;
}

/** Only for lists of numbers and lists of them: other lists have texts, which may have every word. */
function lostInList(list: string, item: ValueType, lost: LostScalar): string | undefined {
  if (item.kind === 'list') return lostInList(list, item.item, lost);
  return item.kind === 'scalar' ? lost.text(list, item.type) : undefined;
}
