import { type AnalyticalColumn, type AnalyticalRow, GraphStoreError } from '@pacioli/core/ports';

/**
 * Writes rows as CSV, which the worker reads with native code: passing them as values costs it more than loading them.
 * Text is always quoted, so that an empty field is null and `""` the empty text.
 */
export function rowTextWriter(columns: readonly AnalyticalColumn[]): (row: AnalyticalRow) => string {
  const fields = columns.map((column) => ({ name: column.name, write: writerOf(column) }));
  return (row) => {
    let line = '';
    for (const { name, write } of fields) {
      const value = row[name];
      if (line !== '' || name !== fields[0]?.name) line += ',';
      if (value !== null && value !== undefined) line += write(value);
    }
    return `${line}\n`;
  };
}

type Write = (value: unknown) => string;

/** Dates and instants are text, so that an invalid one is counted, not thrown. */
function writerOf({ name, type }: AnalyticalColumn): Write {
  const wrong = (value: unknown): GraphStoreError =>
    new GraphStoreError('runtime', `${name} is ${type}, so it cannot take this ${typeof value}.`);
  switch (type) {
    case 'STRING':
    case 'DATE':
    case 'TIMESTAMP':
      return (value) => {
        if (typeof value !== 'string') throw wrong(value);
        return quotedText(value);
      };
    case 'INT32':
      return (value) => {
        if (typeof value !== 'number' || (value | 0) !== value) throw wrong(value);
        return String(value);
      };
    case 'INT64':
      return (value) => {
        const isExact = typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
        if (!isExact) {
          throw new GraphStoreError('runtime', `${name} is INT64, so it takes safe integers and bigints only.`);
        }
        return String(value);
      };
    case 'FLOAT':
    case 'DOUBLE':
      return (value) => {
        if (typeof value !== 'number') throw wrong(value);
        return Object.is(value, -0) ? '-0' : String(value);
      };
    case 'BOOLEAN':
      return (value) => {
        if (typeof value !== 'boolean') throw wrong(value);
        return String(value);
      };
    default:
      throw new GraphStoreError('engine', `A column of type ${type} cannot be loaded.`);
  }
}

const quotedText = (text: string): string => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`);
