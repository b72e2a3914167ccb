/** Converts entries to rows of a table, and rows to entries. */
import { createHash } from 'node:crypto';
import type { EntryVector, FoundEntry, IndexEntry } from '@pacioli/core/ports';
import { fieldWeights, searchTerms, Turns } from '@pacioli/core/ports';
import {
  type Data,
  type DataType,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  Int64,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
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

const listOfText = new List(new Field('item', new Utf8(), true));

const baseFields: readonly Field[] = [
  new Field('id', new Utf8(), false),
  new Field('source_type', new Utf8(), false),
  new Field('content', new Utf8(), false),
  ...textColumns.map((name) => new Field(name, new Utf8(), true)),
  new Field('xbrl_elements', listOfText, true),
  new Field('fiscal_year', new Int32(), true),
  new Field('generation', new Int64(), false),
];

export const baseSchema = new Schema([...baseFields]);

/** The columns that `entryOf` reads. */
export const readColumns: readonly string[] = ['id', 'content', 'details', 'embedding_model', 'generation'];

/** The part of an entry in the column `details`, as JSON. */
type Details = Omit<FoundEntry, 'id' | 'content' | 'embeddingModel' | 'generation'>;

/** The column of the vectors of one model, since models differ in dimensions. */
export function vectorColumn(model: string): string {
  return `vector_${createHash('sha256').update(model).digest('hex').slice(0, 16)}`;
}

export function vectorField(model: string, dimensions: number): Field {
  return fieldOfVectors(vectorColumn(model), dimensions);
}

function fieldOfVectors(name: string, dimensions: number): Field {
  return new Field(name, new FixedSizeList(dimensions, new Field('item', new Float32(), true)), true);
}

/** The schema for the columns of a table, remade because the engine's objects are of another copy of Arrow. */
export function schemaWith(fields: readonly { readonly name: string; readonly type: object }[]): Schema {
  const vectors = fields.flatMap(({ name, type }) =>
    'listSize' in type && typeof type.listSize === 'number' ? [fieldOfVectors(name, type.listSize)] : [],
  );
  return new Schema([...baseFields, ...vectors]);
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
  const data = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new Table(schema, new RecordBatch(schema, data));
}

/** Builds a column from rows, by its name; columns of vectors have no builder. */
const columnBuilders: Readonly<Record<string, (rows: readonly Row[]) => Data>> = Object.fromEntries(
  baseFields.map((field) => [
    field.name,
    (rows: readonly Row[]) => {
      const values = rows.map((row) => row[field.name as keyof Row]);
      return vectorFromArray(values as unknown[], field.type as DataType).data[0] as Data; // One array is one chunk.
    },
  ]),
);

function vectorData(vectors: readonly (Float32Array | null)[], field: Field): Data {
  const type = field.type as FixedSizeList<Float32>; // All columns of vectors have this type.
  const { listSize } = type;
  const values = new Float32Array(vectors.length * listSize);
  const validity = new Uint8Array(Math.ceil(vectors.length / 64) * 8);
  let nullCount = 0;
  vectors.forEach((vector, at) => {
    // A vector of zeros has no direction, so it is near to nothing.
    if (vector === null || vector.every((value) => value === 0)) {
      nullCount += 1;
      return;
    }
    if (vector.length !== listSize) throw new RangeError(`A vector of ${field.name} has ${listSize} dimensions.`);
    values.set(vector, at * listSize);
    validity[at >> 3] = (validity[at >> 3] ?? 0) | (1 << (at & 7));
  });
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  return makeData({ type, length: vectors.length, nullCount, nullBitmap: validity, child });
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
