import type { CatalogTable, ResultRow } from '@pacioli/core/ports';

type Rows = AsyncIterable<readonly ResultRow[]>;
/** Runs one statement on the database. */
type Run = (statement: string) => Rows;

/** A statement returns at most as many rows, because the engine holds its whole result in memory. */
const rowsPerPage = 50_000;

interface Pages {
  readonly run: Run;
  readonly rowsPerPage: number;
}

/** From `start` to before `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Reads all rows of a table in bounded memory, in pages by the place of a row in its table, which is a number. */
export async function* tableRows(
  run: Run,
  table: CatalogTable,
  tables: readonly CatalogTable[],
  maxRows: number = rowsPerPage,
): AsyncGenerator<readonly ResultRow[]> {
  const pages = { run, rowsPerPage: maxRows };
  if (table.kind === 'node') yield* nodeRows(pages, table);
  else yield* relationshipRows(pages, table, tables);
}

async function* nodeRows({ run, rowsPerPage: step }: Pages, node: CatalogTable): AsyncGenerator<readonly ResultRow[]> {
  const pattern = `(n:${quoted(node.name)})`;
  const columns = node.columns.map(({ name }) => `n.${quoted(name)}`).join(', ');
  for (const range of rangesOf(await lastPlace(run, pattern, 'n'), step))
    yield* run(`MATCH ${pattern} WHERE ${within('n', range)} RETURN ${columns}`);
}

/** Pages of nodes with the relationships that begin there: pages of these alone would each read the whole table. */
async function* relationshipRows(
  { run, rowsPerPage: step }: Pages,
  table: CatalogTable,
  tables: readonly CatalogTable[],
): AsyncGenerator<readonly ResultRow[]> {
  const [source, target] = [endOf(table.from, tables), endOf(table.to, tables)];
  const from = `(a:${quoted(source.name)})`;
  const pattern = `${from}-[r:${quoted(table.name)}]->(b:${quoted(target.name)})`;
  const properties = table.columns.map(({ name }) => `, r.${quoted(name)}`);
  const result = `RETURN a.${quoted(source.key)}, b.${quoted(target.key)}${properties.join('')}`;
  const waiting = rangesOf(await lastPlace(run, from, 'a'), step).reverse();
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const begin = `MATCH ${pattern} WHERE ${within('a', range)}`;
    const [first, last, count] = (await onlyRow(run, `${begin} RETURN ${places('r')}`)).map(Number);
    if (count === undefined || count === 0) continue;
    if (count <= step) yield* run(`${begin} ${result}`);
    else if (range.end - range.start > 1) {
      const middle = Math.floor((range.start + range.end) / 2);
      waiting.push({ start: middle, end: range.end }, { start: range.start, end: middle });
    } else {
      // One node with very many relationships.
      for (const part of rangesOf(last ?? 0, step, first)) yield* run(`${begin} AND ${within('r', part)} ${result}`);
    }
  }
}

const quoted = (name: string): string => `\`${name}\``;
const place = (name: string): string => `offset(id(${name}))`;
const places = (name: string): string => `min(${place(name)}), max(${place(name)}), count(*)`;
const within = (name: string, { start, end }: Range): string =>
  `${place(name)} >= ${start} AND ${place(name)} < ${end}`;

async function lastPlace(run: Run, pattern: string, name: string): Promise<number> {
  const [last] = await onlyRow(run, `MATCH ${pattern} RETURN max(${place(name)})`);
  return last === null || last === undefined ? -1 : Number(last);
}

async function onlyRow(run: Run, statement: string): Promise<ResultRow> {
  let found: ResultRow = [];
  for await (const rows of run(statement)) found = rows[0] ?? found;
  return found;
}

function rangesOf(last: number, step: number, first = 0): Range[] {
  const ranges: Range[] = [];
  for (let start = first; start <= last; start += step) ranges.push({ start, end: Math.min(start + step, last + 1) });
  return ranges;
}

function endOf(
  name: string | undefined,
  tables: readonly CatalogTable[],
): { readonly name: string; readonly key: string } {
  const node = tables.find((each) => each.kind === 'node' && each.name === name);
  if (node?.key === undefined) throw new Error(`There is no node type ${name} with a key.`);
  return { name: node.name, key: node.key };
}
