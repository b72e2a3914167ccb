import {
  duckdbType,
  hasFourDigitYear,
  isScalar,
  smallestNumbers,
  smallestOfMembers,
  unionMembers,
} from '@pacioli/worker-process/duckdb-text';
import { nestedCast } from './nested-casts.ts';

/** The graph engine cannot load them (graphs T-6). */
const smallest: Readonly<Record<string, string>> = {
  ...smallestNumbers,
  INT128: '-170141183460469231731687303715884105728',
};

const wholeNumber = String.raw`^\s*[+-]?\d+(\.0*)?\s*$`;
const number = String.raw`^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$`;
const day = String.raw`\s*\d+[-/]\d{1,2}[-/]\d{1,2}`;
/** Microseconds at most; the engine would drop further digits. */
const time = String.raw`[T ]\d{1,2}:\d{2}(:\d{2}(\.\d{1,6}0*)?)?`;
const localInstant = String.raw`^${day}(${time})?\s*$`;
const zonedInstant = String.raw`^${day}${time}(Z| ?UTC|[+-]\d{2}(:?\d{2})?)\s*$`;
const date = String.raw`^${day}([T ]00:00(:00(\.0+)?)?)?\s*$`;

const matches = (value: string, pattern: string): string => `regexp_matches(${value}, '${pattern}')`;
const where = (condition: string, value: string): string => `CASE WHEN ${condition} THEN ${value} END`;

const isFloatingType = (type: string): boolean => type === 'FLOAT' || type === 'DOUBLE';

/**
 * The value as the declared type; null where it does not fit without a change. `given` is the type in which the file has
 * it: texts of CSV and JSON are judged by their form, because the engine would round and cut them; values of parquet by
 * casting them back. Text of lists and records is JSON.
 */
export function castOf(value: string, type: string, given = 'VARCHAR'): string {
  const members = unionMembers(type);
  if (members !== undefined) {
    // The graph engine reads lists and records of a union in a notation of its own, which no file has.
    const fits = members.filter(isScalar).map((member) => `${castOf(value, member, given)} IS NOT NULL`);
    // The graph engine would take such a text for a member that is a floating number.
    const isFloating = members.some((member) => isFloatingType(member));
    const finite = isFloating ? ` AND coalesce(isfinite(TRY_CAST(${value} AS DOUBLE)), true)` : '';
    const smallestTexts = smallestOfMembers(type).map((number) => String.raw`^\s*-0*${number.slice(1)}(\.0*)?\s*$`);
    const kept = smallestTexts.map((text) => ` AND NOT ${matches(`CAST(${value} AS VARCHAR)`, text)}`).join('');
    return where(`(${fits.join(' OR ') || 'false'})${finite}${kept}`, `CAST(${value} AS VARCHAR)`);
  }
  const target = duckdbType(type);
  if (!isScalar(type)) return `TRY_CAST(${nestedCast(value, type, given, castOf)} AS ${target})`;
  const cast =
    given === 'VARCHAR' || given === 'JSON' ? textCast(value, type, target) : typedCast(value, target, given);
  const least = smallest[type];
  if (least !== undefined) return `nullif(${cast}, '${least}'::${target})`;
  // No answer could have another year (graphs Q-45).
  if (type === 'DATE' || type === 'TIMESTAMP') return where(hasFourDigitYear(cast, type), cast);
  // JSON has no number that is not finite, and the graph engine loses it between equal numbers.
  if (isFloatingType(type)) return where(`isfinite(${cast})`, cast);
  // Parquet has no negative intervals, and milliseconds at most.
  if (type === 'INTERVAL')
    return where(`${cast}::VARCHAR NOT LIKE '%-%' AND date_part('microseconds', ${cast}) % 1000 = 0`, cast);
  return cast;
}

function textCast(value: string, type: string, target: string): string {
  const plain = `TRY_CAST(${value} AS ${target})`;
  const asDouble = `TRY_CAST(${value} AS DOUBLE)`;
  if (/^U?INT\d+$/.test(type)) {
    const isWhole = `${asDouble} = trunc(${asDouble}) AND abs(${asDouble}) < 9007199254740992`;
    // With an exponent, the number must be one that a double holds exactly.
    return where(`${matches(value, wholeNumber)} OR (${matches(value, number)} AND ${isWhole})`, plain);
  }
  const [, scale] = /^DECIMAL\(\d+, ?(\d+)\)$/.exec(type) ?? [];
  if (scale !== undefined) {
    const digits = String.raw`^\s*[+-]?(\d+(\.\d{0,${scale}}0*)?|\.\d{1,${Math.max(1, Number(scale))}}0*)\s*$`;
    const isExact = `${plain}::DOUBLE = ${asDouble}`;
    const hasExponent = matches(value, '[eE]');
    return where(`${matches(value, digits)} OR (${hasExponent} AND ${matches(value, number)} AND ${isExact})`, plain);
  }
  if (isFloatingType(type)) return where(matches(value, number), plain);
  if (type === 'DATE') return where(matches(value, date), plain);
  if (type === 'TIMESTAMP') {
    // The engine would ignore the zone of a text that it casts to a type without one.
    const zoned = `CAST(TRY_CAST(${value} AS TIMESTAMPTZ) AS TIMESTAMP)`;
    return `CASE WHEN ${matches(value, localInstant)} THEN ${plain} WHEN ${matches(value, zonedInstant)} THEN ${zoned} END`;
  }
  return plain;
}

/** Text takes every value, and a floating number the nearest one; all others must come back as they were. */
function typedCast(value: string, target: string, given: string): string {
  // Many writers of parquet do not mark texts as such. A plain cast would write bytes that are no ASCII as `\xHH`.
  if (given === 'BLOB' && target === 'VARCHAR')
    return where(`NOT contains(TRY(decode(${value})), chr(0))`, `TRY(decode(${value}))`);
  if (given === target || given === 'BLOB' || /[[(]/.test(given.replace(/^DECIMAL\(.*/, '')))
    return `TRY_CAST(${value} AS ${target})`;
  const plain = `TRY_CAST(${value} AS ${target})`;
  if (['VARCHAR', 'FLOAT', 'DOUBLE'].includes(target)) return plain;
  return where(`TRY_CAST(${plain} AS ${given}) = ${value}`, plain);
}
