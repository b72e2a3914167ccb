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

/** A type of graphs CS-1 in canonical form as DuckDB writes it; names of fields are quoted. */
export function duckdbType(type: string): string {
  // In a list of fields, a word before another word is the name of a field.
  return type.replaceAll(/[A-Za-z]\w*(?= [A-Za-z])|[A-Za-z]\w*/g, (word, at: number) =>
    /^ [A-Za-z]/.test(type.slice(at + word.length)) ? quoted(word) : (scalarTypes[word] ?? word),
  );
}

/** True for a type whose values are one number or text, which a file of text can hold as it is. */
export const isScalar = (type: string): boolean => !/[[(]/.test(type) || type.startsWith('DECIMAL');
