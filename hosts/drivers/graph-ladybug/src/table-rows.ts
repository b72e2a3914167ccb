import { type CatalogTable, GraphStoreError, isGraphStoreError, type ResultRow } from '@pacioli/core/ports';

type Rows = AsyncIterable<readonly ResultRow[]>;
/** Runs one statement on the database. */
type Run = (statement: string) => Rows | Promise<Rows>;

/** Reads of pages are limited by their number of rows. */
export const pageRead = { timeoutMs: 600_000, maxRows: 1_000_000, rowsPerChunk: 2_000 };

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

/** Reads all rows of the table with a name. */
export async function* readTable(
  run: Run,
  tables: readonly CatalogTable[],
  name: string,
): AsyncGenerator<readonly ResultRow[]> {
  const table = tables.find((each) => each.name === name);
  if (table === undefined)
    throw new GraphStoreError('catalog', `The graph has no table ${name}. Its catalog lists the tables.`);
  yield* tableRows(run, table, tables);
}

/** Reads all rows of a table in pages of internal row offsets. */
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
  const ranges = rangesOf(await lastOffset(run, pattern, 'n'), step);
  yield* rangeRows(run, ranges, (range) => `MATCH ${pattern} WHERE ${within('n', range)} RETURN ${columns}`);
}

/** Pages by source node. A filter on the offset of a relationship would make each page scan the whole table. */
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
  const waiting = rangesOf(await lastOffset(run, from, 'a'), step).reverse();
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const begin = `MATCH ${pattern} WHERE ${within('a', range)}`;
    const [first, last, count] = (await onlyRow(run, `${begin} RETURN ${offsets('r')}`)).map(Number);
    if (count === undefined || count === 0) continue;
    if (count <= step && (yield* pageRows(run, `${begin} ${result}`, count > 1))) continue;
    if (range.end - range.start > 1) waiting.push(...halvesOf(range));
    else {
      // One node with relationships that are too many or too wide for one page.
      const parts =
        count <= step ? halvesOf({ start: first ?? 0, end: (last ?? 0) + 1 }) : rangesOf(last ?? 0, step, first);
      yield* rangeRows(run, parts, (part) => `${begin} AND ${within('r', part)} ${result}`);
    }
  }
}

/** Reads each range as one page, or as smaller ones where its rows do not fit in the memory of the engine. */
async function* rangeRows(
  run: Run,
  ranges: readonly Range[],
  statementOf: (range: Range) => string,
): AsyncGenerator<readonly ResultRow[]> {
  const waiting = [...ranges].reverse();
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const isDivisible = range.end - range.start > 1;
    if (!(yield* pageRows(run, statementOf(range), isDivisible))) waiting.push(...halvesOf(range));
  }
}

/** Reads one page. Returns false if it is divisible and the engine has too little memory for it; then no row was read. */
async function* pageRows(
  run: Run,
  statement: string,
  isDivisible: boolean,
): AsyncGenerator<readonly ResultRow[], boolean> {
  let hasRows = false;
  try {
    for await (const rows of await run(statement)) {
      hasRows = true;
      yield rows;
    }
    return true;
  } catch (error) {
    if (!hasRows && isDivisible && isGraphStoreError(error) && error.code === 'memory') return false;
    throw error;
  }
}

const quoted = (name: string): string => `\`${name}\``;
const offset = (name: string): string => `offset(id(${name}))`;
const offsets = (name: string): string => `min(${offset(name)}), max(${offset(name)}), count(*)`;
const within = (name: string, { start, end }: Range): string =>
  `${offset(name)} >= ${start} AND ${offset(name)} < ${end}`;

async function lastOffset(run: Run, pattern: string, name: string): Promise<number> {
  const [last] = await onlyRow(run, `MATCH ${pattern} RETURN max(${offset(name)})`);
  return last === null || last === undefined ? -1 : Number(last);
}

async function onlyRow(run: Run, statement: string): Promise<ResultRow> {
  let found: ResultRow = [];
  for await (const rows of await run(statement)) found = rows[0] ?? found;
  return found;
}

function rangesOf(last: number, step: number, first = 0): Range[] {
  const ranges: Range[] = [];
  for (let start = first; start <= last; start += step) ranges.push({ start, end: Math.min(start + step, last + 1) });
  return ranges;
}

/** The upper half first, so that a stack reads the lower one next. */
function halvesOf({ start, end }: Range): [Range, Range] {
  const middle = Math.floor((start + end) / 2);
  return [
    { start: middle, end },
    { start, end: middle },
  ];
}

function endOf(
  name: string | undefined,
  tables: readonly CatalogTable[],
): { readonly name: string; readonly key: string } {
  const node = tables.find((each) => each.kind === 'node' && each.name === name);
  if (node?.key === undefined) throw new Error(`There is no node type ${name} with a key.`);
  return { name: node.name, key: node.key };
}
