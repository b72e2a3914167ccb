/** Converts entries to rows of a table, and rows to entries. */
import { createHash } from 'node:crypto';
import type { EntryVector, FoundEntry, IndexEntry } from '@pacioli/core/ports';
import { fieldWeights, searchTerms, Turns } from '@pacioli/core/ports';
import type { Data, DataType, Field, FixedSizeList, Float32, Schema, Table } from 'apache-arrow';
import { arrow } from './arrow.ts';
import { cikKey } from './conditions.ts';

/** The column of the terms of contents, which every row has. */
export const contentTerms = 'content_terms';

/** The columns of terms, each with an index of its own, and their weights (ai-surface SR-10). */
export const termColumns = {
  [contentTerms]: fieldWeights.content,
  label_terms: fieldWeights.sectionLabel,
  title_terms: fieldWeights.documentTitle,
  entity_terms: fieldWeights.entityName,
} as const;

/** The columns that conditions compare, and the terms. The other fields of an entry are JSON in `details`, because each column adds to the time of a read. */
const textColumns = [
  'details',
  'section_id',
  'entity_ticker',
  'element_qname',
  'filing_date',
  'form_type',
  'embedding_model',
  'cik_key',
  'entity_words',
  ...(Object.keys(termColumns) as (keyof typeof termColumns)[]),
] as const;

const listOfText = new arrow.List(new arrow.Field('item', new arrow.Utf8(), true));

const baseFields: readonly Field[] = [
  new arrow.Field('id', new arrow.Utf8(), false),
  new arrow.Field('source_type', new arrow.Utf8(), false),
  new arrow.Field('content', new arrow.Utf8(), false),
  ...textColumns.map((name) => new arrow.Field(name, new arrow.Utf8(), true)),
  new arrow.Field('xbrl_elements', listOfText, true),
  new arrow.Field('fiscal_year', new arrow.Int32(), true),
  new arrow.Field('generation', new arrow.Int64(), false),
];

export const baseSchema = new arrow.Schema([...baseFields]);

/** The columns that `entryOf` reads. */
export const readColumns: readonly string[] = ['id', 'content', 'details', 'embedding_model', 'generation'];

/** The part of an entry in the column `details`, as JSON. */
type Details = Omit<FoundEntry, 'id' | 'content' | 'embeddingModel' | 'generation'>;

/** The column of the vectors of one model, since models differ in dimensions. */
export function vectorColumn(model: string): string {
  return `vector_${createHash('sha256').update(model).digest('hex').slice(0, 16)}`;
}

export function vectorField(model: string, dimensions: number): Field {
  const item = new arrow.Field('item', new arrow.Float32(), true);
  return new arrow.Field(vectorColumn(model), new arrow.FixedSizeList(dimensions, item), true);
}

/** A row of the table without its vectors, which are written as separate columns. */
type Row = Readonly<Record<(typeof textColumns)[number], string | null>> & {
  readonly id: string;
  readonly source_type: string;
  readonly content: string;
  readonly xbrl_elements: readonly string[] | null;
  readonly fiscal_year: number | null;
  readonly generation: bigint;
};

/** The rows of entries. Other requests get their turn in between, because splitting long texts takes time. */
export async function rowsOf(entries: readonly (FoundEntry | IndexEntry)[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const turns = new Turns();
  for (const entry of entries) {
    rows.push(rowOf(entry));
    if (turns.isOver) await turns.next();
  }
  return rows;
}

function rowOf(entry: FoundEntry): Row {
  const entityTerms = termsOf(entry.entityName);
  return {
    id: entry.id,
    source_type: entry.sourceType,
    content: entry.content,
    details: JSON.stringify(detailsOf(entry)),
    section_id: entry.sectionId,
    entity_ticker: entry.entityTicker,
    element_qname: entry.elementQname,
    filing_date: entry.filingDate,
    form_type: entry.formType,
    embedding_model: entry.embeddingModel,
    cik_key: entry.entityCik === null ? null : cikKey(entry.entityCik),
    entity_words: entityTerms === null ? null : ` ${entityTerms} `,
    content_terms: termsOf(entry.content),
    label_terms: termsOf(entry.sectionLabel),
    title_terms: termsOf(entry.documentTitle),
    entity_terms: entityTerms,
    xbrl_elements: entry.xbrlElements,
    fiscal_year: entry.fiscalYear,
    generation: BigInt(entry.generation),
  };
}

/** Field by field, since entries to write have vectors besides. */
function detailsOf(entry: FoundEntry): Details {
  return {
    parentId: entry.parentId,
    part: entry.part,
    partCount: entry.partCount,
    nextId: entry.nextId,
    sourceType: entry.sourceType,
    documentTitle: entry.documentTitle,
    sectionLabel: entry.sectionLabel,
    sectionId: entry.sectionId,
    entityTicker: entry.entityTicker,
    entityName: entry.entityName,
    entityCik: entry.entityCik,
    elementQname: entry.elementQname,
    xbrlElements: entry.xbrlElements,
    filingDate: entry.filingDate,
    fiscalYear: entry.fiscalYear,
    fiscalPeriod: entry.fiscalPeriod,
    formType: entry.formType,
    accessionNumber: entry.accessionNumber,
    contentUrl: entry.contentUrl,
    tags: entry.tags,
    folder: entry.folder,
  };
}

/** The terms of a field, separated by spaces; null without terms, because statistics count only fields with some. */
function termsOf(text: string | null): string | null {
  const terms = text === null ? [] : searchTerms(text);
  return terms.length === 0 ? null : terms.join(' ');
}

/** The vectors to write with rows, by the column of their model. */
export interface VectorColumns {
  readonly fields: readonly Field[];
  /** In the order of `fields`; one for each row. */
  readonly vectors: readonly (readonly (Float32Array | null)[])[];
}

/** The Arrow table of rows, with null for vectors that are not given. Other requests get turns between the columns. */
export async function arrowTable(rows: readonly Row[], schema: Schema, columns: VectorColumns): Promise<Table> {
  const children: Data[] = [];
  const turns = new Turns();
  for (const field of schema.fields) {
    const at = columns.fields.findIndex(({ name }) => name === field.name);
    const build = columnBuilders[field.name];
    children.push(build === undefined ? vectorData(columns.vectors[at] ?? rows.map(() => null), field) : build(rows));
    if (turns.isOver) await turns.next();
  }
  // The engine then serializes the whole table without a turn for others.
  await turns.next();
  const type = new arrow.Struct(schema.fields);
  const data = arrow.makeData({ type, length: rows.length, nullCount: 0, children });
  return new arrow.Table(schema, new arrow.RecordBatch(schema, data));
}

/** Builds a column from rows, by its name; columns of vectors have no builder. */
const columnBuilders: Readonly<Record<string, (rows: readonly Row[]) => Data>> = Object.fromEntries(
  baseFields.map((field) => [
    field.name,
    (rows: readonly Row[]) => {
      const values = rows.map((row) => row[field.name as keyof Row]);
      if (arrow.DataType.isUtf8(field.type)) return textData(values as (string | null)[]);
      return arrow.vectorFromArray(values as unknown[], field.type as DataType).data[0] as Data; // One array is one chunk.
    },
  ]),
);

/** A column of texts, made in a fifth of the time that `vectorFromArray` takes. */
function textData(texts: readonly (string | null)[]): Data {
  const encoder = new TextEncoder();
  const data = new Uint8Array(texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0));
  const valueOffsets = new Int32Array(texts.length + 1);
  const { validity, nullCount } = validityOf(texts);
  let end = 0;
  texts.forEach((text, at) => {
    if (text !== null) end += encoder.encodeInto(text, data.subarray(end)).written;
    valueOffsets[at + 1] = end;
  });
  const type = new arrow.Utf8();
  return arrow.makeData({ type, length: texts.length, nullCount, nullBitmap: validity, valueOffsets, data });
}

function vectorData(given: readonly (Float32Array | null)[], field: Field): Data {
  const type = field.type as FixedSizeList<Float32>; // All columns of vectors have this type.
  const { listSize } = type;
  // A vector of zeros has no direction, so it is near to nothing.
  const vectors = given.map((vector) => (vector?.every((value) => value === 0) ? null : vector));
  const values = new Float32Array(vectors.length * listSize);
  vectors.forEach((vector, at) => {
    if (vector === null) return;
    if (vector.length !== listSize) throw new RangeError(`A vector of ${field.name} has ${listSize} dimensions.`);
    values.set(vector, at * listSize);
  });
  const { validity, nullCount } = validityOf(vectors);
  const child = arrow.makeData({ type: new arrow.Float32(), length: values.length, nullCount: 0, data: values });
  return arrow.makeData({ type, length: vectors.length, nullCount, nullBitmap: validity, child });
}

/** A bit for each value, set for those that are not null, in whole groups of 64 bits as Arrow wants them. */
function validityOf(values: readonly unknown[]): { readonly validity: Uint8Array; readonly nullCount: number } {
  const validity = new Uint8Array(Math.ceil(values.length / 64) * 8);
  let nullCount = 0;
  values.forEach((value, at) => {
    if (value === null) nullCount += 1;
    else validity[at >> 3] = (validity[at >> 3] ?? 0) | (1 << (at & 7));
  });
  return { validity, nullCount };
}

/** An entry from the row of a table. */
export function entryOf(row: Readonly<Record<string, unknown>>): FoundEntry {
  return {
    ...(JSON.parse(row['details'] as string) as Details), // Written by `rowOf`.
    id: row['id'] as string,
    content: row['content'] as string,
    embeddingModel: (row['embedding_model'] ?? null) as string | null,
    generation: Number(row['generation']),
  };
}

/** The vectors of entries by the column of their model. */
export function vectorColumns(
  entries: readonly Pick<IndexEntry, 'embedding' | 'embeddingModel'>[] | readonly EntryVector[],
): VectorColumns {
  const dimensions = new Map<string, number>();
  for (const { embedding, embeddingModel } of entries) {
    if (embedding !== null && embeddingModel !== null) dimensions.set(embeddingModel, embedding.length);
  }
  const models = [...dimensions];
  return {
    fields: models.map(([model, size]) => vectorField(model, size)),
    vectors: models.map(([model]) =>
      entries.map(({ embedding, embeddingModel }) => (embeddingModel === model ? embedding : null)),
    ),
  };
}
