import pg from 'pg';

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;

/** Money and counters are integers; one that JavaScript cannot represent exactly is an error, never rounded. */
const safeInteger: Parse = (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError('A bigint in the result is outside the safe integers; select it as text.');
  }
  return value;
};

const oids = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  numeric: 1700,
  int8Array: 1016,
  dateArray: 1182,
  timestampArray: 1115,
  numericArray: 1231,
} as const;

const textArrayOid: number = 1009;

/** Splits a PostgreSQL array into texts (null stays null) and parses each element. */
function arrayOf(parse: Parse): Parse {
  const split = pg.types.getTypeParser(textArrayOid, 'text');
  return (text) => {
    const elements: readonly (string | null)[] = split(text);
    return elements.map((element) => (element === null ? null : parse(element)));
  };
}

const parsers: ReadonlyMap<number, Parse> = new Map([
  [oids.int8, safeInteger],
  [oids.numeric, asText],
  [oids.date, asText],
  // A timestamp without a time zone is not an instant; as text it cannot be misread in the process's own zone.
  [oids.timestamp, asText],
  [oids.int8Array, arrayOf(safeInteger)],
  [oids.numericArray, arrayOf(asText)],
  [oids.dateArray, arrayOf(asText)],
  [oids.timestampArray, arrayOf(asText)],
]);

/** Parsers from PostgreSQL text to JavaScript values; see `Store` in @pacioli/core/ports. */
export const typeParsers: pg.CustomTypesConfig = {
  // pg's own type is overloaded for each built-in oid; one lookup table serves them all.
  getTypeParser: ((oid: number, format?: 'text') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format ?? 'text')) as pg.CustomTypesConfig['getTypeParser'],
};
