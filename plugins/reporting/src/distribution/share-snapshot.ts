import type { FactMember, FactStore, StoredFact, StoredFactSet } from '@pacioli/blocks';
import type { Transaction } from '@pacioli/core';
import type { FileStore } from '@pacioli/core/ports';
import type { Entities, LinkedEntityFields } from '@pacioli/ledger';
import type { LinkedTaxonomies, SharedTaxonomies } from '@pacioli/taxonomy';
import type { ReportingSettings } from '../config.ts';
import { findBundle, findStatements, type ReportRow, type StatementRow } from '../reports/index.ts';
import { filesOfReport } from '../serialization/downloads/index.ts';

const maxSets = 1_000;
const maxSnapshotBytes = 1024 * 1024 * 1024;

export interface SnapshotServices {
  readonly facts: FactStore;
  readonly files: FileStore;
  readonly entities: Entities;
  readonly linkedTaxonomies: LinkedTaxonomies;
  /** The limits of what is shared (investor X-2). */
  readonly settings: Pick<ReportingSettings, 'maxSharedFacts' | 'maxSharedConcepts' | 'maxSharedFileBytes'>;
}

/** A fact as recipients get it: without its source and the id of its entity. Its own id is for the file of the copy only. */
export type SharedFact = Omit<StoredFact, 'entityId' | 'provenance'> & {
  readonly members: readonly FactMember[];
};

/** What the sender shares, except the facts: nothing of its books, chart, mappings or rules (investor H-10). */
export interface SnapshotHead {
  readonly sourceGraphId: string;
  readonly report: Pick<
    ReportRow,
    | 'id'
    | 'name'
    | 'taxonomy_id'
    | 'entity_id'
    | 'entity_name'
    | 'period_type'
    | 'period_start'
    | 'period_end'
    | 'comparative'
    | 'columns'
    | 'has_listed_columns'
    | 'ai_generated'
    | 'generation'
    | 'filing_status'
  > & { readonly filedAt: string | null; readonly lastGenerated: string };
  readonly bundleKey: string | null;
  readonly statements: readonly StatementRow[];
  readonly sets: readonly Pick<StoredFactSet, 'id' | 'structureId' | 'periodStart' | 'periodEnd' | 'factsetType'>[];
  /** Null if the sender has no parent entity (investor H-12). */
  readonly entity: { readonly fields: LinkedEntityFields; readonly country: string | null } | null;
  readonly taxonomies: SharedTaxonomies;
}

/** The key of a snapshot, which is removed with the files of its report at the latest. */
export function snapshotKey(graphId: string, reportId: string, id: string): string {
  return `${filesOfReport(graphId, reportId)}shares/${id}.jsonl`;
}

/**
 * Writes what is shared of a report to a file, in the caller's snapshot transaction: the head in the first line, then
 * facts in batches, so that memory holds one batch whatever the size of the report. False if a limit is exceeded.
 */
export async function writeSnapshot(
  tx: Transaction,
  use: SnapshotServices,
  { report, key, signal }: { readonly report: ReportRow; readonly key: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const { maxSharedFacts, maxSharedConcepts, maxSharedFileBytes } = use.settings;
  const bundleKey = (await findBundle(tx, report.id))?.bundle_key ?? null;
  const bundle = bundleKey === null ? undefined : await use.files.info(bundleKey);
  if (bundle !== undefined && bundle.bytes > maxSharedFileBytes) return false;
  const sets = await use.facts.sets(tx, { reportId: report.id, scenario: 'actuals' });
  if (sets.length > maxSets) return false;
  const setIds = sets.map(({ id }) => id);
  const cited = await citedElements(tx, use.facts, { setIds, maxFacts: maxSharedFacts });
  if (cited === undefined) return false;
  const taxonomies = await use.linkedTaxonomies.read(tx, {
    taxonomyIds: [report.taxonomy_id],
    elementIds: [...cited],
    maxElements: maxSharedConcepts,
  });
  if (taxonomies.elements.length > maxSharedConcepts) return false;
  const head = await headOf(tx, use, { report, bundleKey, sets, taxonomies });
  const lines = async function* (): AsyncGenerator<Uint8Array> {
    yield lineOf(head);
    for await (const batch of use.facts.factBatches(tx, setIds)) yield lineOf(batch.map(sharedFact));
  };
  await use.files.write(key, lines(), { maxBytes: maxSnapshotBytes, contentType: 'application/jsonl', signal });
  return true;
}

/** The number of facts of a report that recipients would get. */
export async function countSharedFacts(tx: Transaction, facts: FactStore, reportId: string): Promise<number> {
  const sets = await facts.sets(tx, { reportId, scenario: 'actuals' });
  return facts.countFacts(
    tx,
    sets.map(({ id }) => id),
  );
}

/** A snapshot that is being read: the head, then the batches of facts. */
export interface OpenSnapshot {
  readonly head: SnapshotHead;
  readonly batches: AsyncIterable<readonly SharedFact[]>;
  /** Closes the file, also if not all of it was read. */
  close(): Promise<void>;
}

/** Opens a snapshot, which the caller closes. */
export async function openSnapshot(files: FileStore, key: string, signal: AbortSignal): Promise<OpenSnapshot> {
  const lines = linesOf(await files.read(key, signal));
  const first = await lines.next();
  if (first.done === true) throw new Error('The snapshot of a share is empty.');
  const head = JSON.parse(first.value) as SnapshotHead; // Written by `writeSnapshot`.
  const batches = async function* (): AsyncGenerator<readonly SharedFact[]> {
    for await (const line of lines) yield JSON.parse(line) as readonly SharedFact[]; // Written by `writeSnapshot`.
  };
  return { head, batches: batches(), close: async () => void (await lines.return(undefined)) };
}

/** The elements that the facts cite; undefined if there are more facts than can be shared. */
async function citedElements(
  tx: Transaction,
  facts: FactStore,
  { setIds, maxFacts }: { readonly setIds: readonly string[]; readonly maxFacts: number },
): Promise<ReadonlySet<string> | undefined> {
  const cited = new Set<string>();
  let count = 0;
  for await (const batch of facts.factBatches(tx, setIds)) {
    count += batch.length;
    if (count > maxFacts) return undefined;
    for (const { elementId, members } of batch) {
      cited.add(elementId);
      for (const { axisElementId, value } of members) {
        if (axisElementId !== null) cited.add(axisElementId);
        cited.add(value);
      }
    }
  }
  return cited;
}

async function headOf(
  tx: Transaction,
  use: SnapshotServices,
  from: {
    readonly report: ReportRow;
    readonly bundleKey: string | null;
    readonly sets: readonly StoredFactSet[];
    readonly taxonomies: SharedTaxonomies;
  },
): Promise<SnapshotHead> {
  const { report, sets, taxonomies } = from;
  const entity = await use.entities.primary(tx);
  const statements = await findStatements(tx, report.id);
  return {
    sourceGraphId: tx.graphId,
    report: {
      id: report.id,
      name: report.name,
      taxonomy_id: report.taxonomy_id,
      entity_id: report.entity_id,
      entity_name: report.entity_name,
      period_type: report.period_type,
      period_start: report.period_start,
      period_end: report.period_end,
      comparative: report.comparative,
      columns: report.columns,
      has_listed_columns: report.has_listed_columns,
      ai_generated: report.ai_generated,
      generation: report.generation,
      filing_status: report.filing_status,
      filedAt: report.filed_at?.toISOString() ?? null,
      lastGenerated: report.last_generated.toISOString(),
    },
    bundleKey: from.bundleKey,
    statements: statements.map((statement) => sharedStatement(statement)),
    sets: sets.map(({ id, structureId, periodStart, periodEnd, factsetType }) => ({
      id,
      structureId,
      periodStart,
      periodEnd,
      factsetType,
    })),
    entity: entity === undefined ? null : { fields: publicFields(entity), country: entity.address_country },
    taxonomies,
  };
}

/** Failures and warnings speak of accounts and open months of the sender, and stay there. */
function sharedStatement(statement: StatementRow): StatementRow {
  const { passed, status, checks } = statement.validation;
  return { ...statement, unmapped_count: 0, validation: { passed, status, checks, failures: [], warnings: [] } };
}

function publicFields(entity: LinkedEntityFields): LinkedEntityFields {
  const { name, legal_name, entity_type, industry, cik, ticker, state_of_incorporation } = entity;
  return { name, legal_name, entity_type, industry, cik, ticker, state_of_incorporation };
}

function sharedFact(fact: StoredFact & { readonly members: readonly FactMember[] }): SharedFact {
  const { entityId: _entity, provenance: _provenance, ...shared } = fact;
  return shared;
}

function lineOf(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      yield [...rest, part].join('');
      rest = [];
    }
    rest.push(parts.at(-1) ?? '');
  }
  const last = rest.join('');
  if (last !== '') yield last;
  return undefined;
}
