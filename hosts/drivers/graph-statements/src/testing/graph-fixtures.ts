import {
  type AnalyticalRow,
  type AnalyticalSchema,
  defineNode,
  defineRelationship,
  type GenerationRef,
  type GraphStore,
  type GraphValue,
  isGraphStoreError,
  type QueryParameters,
  type RunOptions,
} from '@pacioli/core/ports';

export const Company = defineNode('Company', {
  properties: {
    name: 'STRING',
    staff: 'INT32',
    cents: 'INT64',
    share: 'DOUBLE',
    listed: 'BOOLEAN',
    founded: 'DATE',
    seen: 'TIMESTAMP',
  },
});
export const Owns = defineRelationship('OWNS', Company, Company, { properties: { percent: 'DOUBLE', since: 'DATE' } });
export const schema: AnalyticalSchema = { nodes: [Company], relationships: [Owns] };

export async function* batches(
  rows: readonly AnalyticalRow[],
  rowsPerBatch = 5_000,
): AsyncGenerator<readonly AnalyticalRow[]> {
  for (let at = 0; at < rows.length; at += rowsPerBatch) yield rows.slice(at, at + rowsPerBatch);
}

export function company(identifier: string, rest: AnalyticalRow = {}): AnalyticalRow {
  return {
    identifier,
    name: `Name ${identifier}`,
    staff: 7,
    cents: 125n,
    share: 0.5,
    listed: true,
    founded: '2020-02-29',
    seen: '2026-01-02T03:04:05Z',
    ...rest,
  };
}

export const loading = { maxRejects: 0, signal: new AbortController().signal };

export function running(rest: Partial<RunOptions> = {}): RunOptions {
  return {
    timeoutMs: 300_000,
    maxRows: 1_000_000,
    rowsPerChunk: 1_000,
    signal: new AbortController().signal,
    ...rest,
  };
}

/** All rows of a statement, for tests. */
export async function ask(
  store: GraphStore,
  ref: GenerationRef,
  text: string,
  parameters: QueryParameters = {},
  options: Partial<RunOptions> = {},
): Promise<readonly (readonly GraphValue[])[]> {
  const rows: (readonly GraphValue[])[] = [];
  for await (const chunk of await store.run(ref, text, parameters, running(options))) rows.push(...chunk);
  return rows;
}

/** Builds a readable generation with these rows. */
export async function build(
  store: GraphStore,
  ref: GenerationRef,
  nodes: AsyncIterable<readonly AnalyticalRow[]>,
  relationships: readonly AnalyticalRow[] = [],
): Promise<void> {
  await store.create(ref, schema);
  await store.load(ref, Company, { kind: 'rows', batches: nodes }, loading);
  await store.load(ref, Owns, { kind: 'rows', batches: batches(relationships) }, loading);
  await store.promote(ref);
}

/** A statement that runs for a long time on any engine and needs little memory. */
export const heavy =
  'UNWIND range(1, 30000) AS a UNWIND range(1, 30000) AS b WITH a, b WHERE a * b % 7 = 8 RETURN count(*) AS found';

/** The code with which work of the store fails, or `no error`. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (isGraphStoreError(error)) return error.code;
    throw error;
  }
  return 'no error';
}
