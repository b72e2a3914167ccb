export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const scalarTypes: Readonly<Record<string, string>> = {
  STRING: 'VARCHAR',
  INT8: 'TINYINT',
  INT16: 'SMALLINT',
  INT32: 'INTEGER',
  INT64: 'BIGINT',
  INT128: 'HUGEINT',
  UINT8: 'UTINYINT',
  UINT16: 'USMALLINT',
  UINT32: 'UINTEGER',
  UINT64: 'UBIGINT',
};

/** The types of the members of a union in their order; undefined for another type. */
export function unionMembers(type: string): readonly string[] | undefined {
  const [, list] = /^UNION\((.*)\)$/.exec(type) ?? [];
  if (list === undefined) return undefined;
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [at, character] of [...list].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character !== ',' || depth > 0) continue;
    members.push(list.slice(start, at));
    start = at + 1;
  }
  members.push(list.slice(start));
  // Each is a name, a space and a type.
  return members.map((member) => member.trim().replace(/^\w+ /, ''));
}

/** A type of graphs CS-1 in canonical form as DuckDB writes it; names of fields are quoted. */
export function duckdbType(type: string): string {
  // Text, because DuckDB takes every text for the member that is a text; the graph engine takes the first that fits.
  if (unionMembers(type) !== undefined) return 'VARCHAR';
  // In a list of fields, a word before another word is the name of a field.
  return type.replaceAll(/[A-Za-z]\w*(?= [A-Za-z])|[A-Za-z]\w*/g, (word, at: number) =>
    /^ [A-Za-z]/.test(type.slice(at + word.length)) ? quoted(word) : (scalarTypes[word] ?? word),
  );
}

/** True for a type whose values are one number or text, which a file of text can hold as it is. */
export const isScalar = (type: string): boolean => !/[[(]/.test(type.replace(/^DECIMAL\([^)]*\)/, ''));

/** The smallest numbers of signed types. The graph engine keeps none of them between numbers of a narrower range. */
export const smallestNumbers: Readonly<Record<string, string>> = {
  INT8: '-128',
  INT16: '-32768',
  INT32: '-2147483648',
  INT64: '-9223372036854775808',
};

/** The numbers of `smallestNumbers` that a value of the union may be. */
export const smallestOfMembers = (type: string): readonly string[] =>
  (unionMembers(type) ?? []).flatMap((member) => smallestNumbers[member] ?? []);

/** The condition for a DATE or TIMESTAMP of the years 1 to 9999, without the infinite ones. */
export const hasFourDigitYear = (value: string, type: string): string =>
  `(${value} BETWEEN ${type} '0001-01-01' AND ${type} '9999-12-31${type === 'DATE' ? '' : ' 23:59:59.999999'}')`;
