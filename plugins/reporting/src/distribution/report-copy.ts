import type { FactStore, NewFact } from '@pacioli/blocks';
import { type EventPublisher, type Graphs, type Ids, sql, type TextChanges, type Transaction } from '@pacioli/core';
import type { LinkedEntities } from '@pacioli/ledger';
import type { LinkedTaxonomies, StructureParts } from '@pacioli/taxonomy';
import reportDeleted from '../events/report-deleted.ts';
import { noteChangedTexts } from '../reports/index.ts';
import type { ReportingReport } from '../rows.gen.ts';
import { bundleKey } from '../serialization/downloads/index.ts';
import type { SharedFact, SnapshotHead } from './share-snapshot.ts';
import { TextSections } from './text-sections.ts';

export interface CopyServices {
  readonly facts: FactStore;
  readonly ids: Ids;
  readonly graphs: Graphs;
  readonly events: EventPublisher;
  readonly structures: StructureParts;
  readonly linkedTaxonomies: LinkedTaxonomies;
  readonly linkedEntities: LinkedEntities;
  readonly textChanges: readonly TextChanges[];
}

/** A copy that was written, with what its file needs. */
export interface WrittenCopy {
  readonly reportId: string;
  readonly bundleKey: string | null;
  readonly entityId: string;
  readonly setIds: ReadonlyMap<string, string>;
  readonly structureIds: ReadonlySet<string>;
  /** The id of the new fact for each fact of the sender. */
  readonly factIds: ReadonlyMap<string, string>;
  readonly factCount: number;
}

interface CopyWork {
  readonly tx: Transaction;
  readonly reportId: string;
  readonly sharedBy: string;
  readonly now: Date;
}

/** Writes the copy of a report into the recipient's graph, in place of an earlier one (investor 7.2, steps 4 to 8). */
export async function writeCopy(
  work: CopyWork,
  use: CopyServices,
  { head, batches }: { readonly head: SnapshotHead; readonly batches: AsyncIterable<readonly SharedFact[]> },
): Promise<WrittenCopy> {
  const { tx, reportId, sharedBy, now } = work;
  const { sourceGraphId, report } = head;
  const lock = `pacioli.reporting.copy.${tx.graphId}.${sourceGraphId}.${report.id}`;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  await removeCopies(tx, use, { sourceGraphId, sourceReportId: report.id });
  const entityId = await linkedEntityId(work, use.linkedEntities, head);
  await use.linkedTaxonomies.link(tx, head.taxonomies, { sourceGraphId, userId: sharedBy, now });
  const key =
    head.bundleKey === null
      ? null
      : bundleKey(tx.graphId, { id: reportId, generation: report.generation, isFiled: report.filedAt !== null });
  await insertCopy(work, head, { entityId, key });
  const structureIds = await knownStructures(tx, use.structures, head);
  const setIds = await createSets(work, use.facts, head, { entityId, structureIds });
  await insertStatements(work, use.structures, head, setIds, structureIds);
  const merged = new MergedFacts(head, structureIds);
  const sections = new TextSections(head, structureIds);
  const factIds = new Map<string, string>();
  const factCount = await copyFacts(batches, async (batch) => {
    const copied = batch.filter((fact) => merged.isNew(fact));
    sections.add(copied);
    const sets = groupBySet(copied, setIds);
    const facts = sets.flatMap((set) => set.facts);
    const ids = await use.facts.addFactsToSets(
      tx,
      sets.map((set) => ({ setId: set.setId, facts: set.facts.map(newFact) })),
      now,
    );
    for (const [index, { id }] of facts.entries()) factIds.set(id, ids[index] ?? '');
    return facts.length;
  });
  for (const [id, kept] of merged.duplicates) factIds.set(id, factIds.get(kept) ?? '');
  await sections.store(tx, reportId);
  await noteChangedTexts(tx, use.textChanges, [reportId]);
  await use.graphs.markStale(tx, tx.graphId, 'report_shared_in');
  return { reportId, bundleKey: key, entityId, setIds, structureIds, factIds, factCount };
}

/** Reads each batch while the one before it is being written; memory holds two. */
async function copyFacts(
  batches: AsyncIterable<readonly SharedFact[]>,
  write: (batch: readonly SharedFact[]) => Promise<number>,
): Promise<number> {
  const reader = batches[Symbol.asyncIterator]();
  let count = 0;
  let next = await reader.next();
  while (next.done !== true) {
    const [following, written] = await Promise.all([reader.next(), write(next.value)]);
    count += written;
    next = following;
  }
  return count;
}

/** Deletes the copies of a source, or of one of its reports, with their facts. Their files are deleted after the commit, by the event. */
export async function removeCopies(
  tx: Transaction,
  use: Pick<CopyServices, 'facts' | 'events' | 'textChanges'>,
  from: { readonly sourceGraphId: string; readonly sourceReportId: string | undefined },
): Promise<readonly string[]> {
  const ofReport = from.sourceReportId === undefined ? sql`` : sql`and source_report_id = ${from.sourceReportId}`;
  const removed: string[] = [];
  for (;;) {
    const rows = await tx.query(sql<Pick<ReportingReport, 'id'>>`delete from reporting_report
      where graph_id = ${tx.graphId} and id in (select id from reporting_report
        where graph_id = ${tx.graphId} and source_graph_id = ${from.sourceGraphId} ${ofReport} order by id limit 500)
      returning id`);
    if (rows.length === 0) return removed.sort();
    for (const { id } of rows) await use.facts.deleteSets(tx, { reportId: id, scenario: 'all' });
    const payloads = rows.map(({ id }) => ({ graph_id: tx.graphId, report_id: id }));
    await use.events.publishAll(tx, reportDeleted, payloads, tx.graphId);
    const ids = rows.map(({ id }) => id);
    await noteChangedTexts(tx, use.textChanges, ids);
    removed.push(...ids);
  }
}

/** True if the transaction that wrote this copy was committed. */
export async function hasCopy(tx: Transaction, reportId: string): Promise<boolean> {
  const rows = await tx.query(sql<Pick<ReportingReport, 'id'>>`select id from reporting_report
    where graph_id = ${tx.graphId} and id = ${reportId}`);
  return rows.length > 0;
}

/**
 * The entity that is linked to the sender. Without a parent entity of the sender nothing is linked, and the copy keeps an
 * entity id that this graph does not have (investor H-12).
 */
async function linkedEntityId(
  { tx, now }: CopyWork,
  linked: LinkedEntities,
  { sourceGraphId, entity, report }: SnapshotHead,
): Promise<string> {
  if (entity === null) return report.entity_id;
  return linked.ensure(tx, { sourceGraphId, fields: entity.fields, addressCountry: entity.country }, now);
}

async function insertCopy(
  { tx, reportId, sharedBy, now }: CopyWork,
  { sourceGraphId, report, entity }: SnapshotHead,
  { entityId, key }: { readonly entityId: string; readonly key: string | null },
): Promise<void> {
  const openMonths = JSON.stringify({ months: [], more: 0 });
  await tx.query(sql`
    insert into reporting_report (graph_id, id, name, taxonomy_id, entity_id, entity_name, period_type, period_start,
      period_end, comparative, columns, has_listed_columns, ai_generated, open_months, generation, generation_status, filing_status,
      filed_at, created_by, created_at, last_generated, bundle_key, source_graph_id, source_report_id, shared_at)
    values (${tx.graphId}, ${reportId}, ${report.name}, ${report.taxonomy_id}, ${entityId},
      ${entity?.fields.name ?? report.entity_name}, ${report.period_type}, ${report.period_start}::date,
      ${report.period_end}::date, ${report.comparative}, ${JSON.stringify(report.columns)}::text::jsonb,
      ${report.has_listed_columns}, ${report.ai_generated}, ${openMonths}::text::jsonb, ${report.generation}, 'published',
      ${report.filing_status}, ${report.filedAt}::timestamptz, ${sharedBy}, ${now}, ${report.lastGenerated}::timestamptz,
      ${key}, ${sourceGraphId}, ${report.id}, ${now})`);
}

/** The structures of the library, whose ids are the same in every graph (D-7). */
async function knownStructures(
  tx: Transaction,
  structures: StructureParts,
  head: SnapshotHead,
): Promise<ReadonlySet<string>> {
  const ids = head.sets.flatMap(({ structureId }) => structureId ?? []);
  const found = await structures.find(tx, ids);
  return new Set([...found.values()].flatMap(({ id, isShared }) => (isShared ? [id] : [])));
}

/** One set for each known structure, and one for the facts of all others; returns the new id of each set (D-7). */
async function createSets(
  { tx, reportId, sharedBy, now }: CopyWork,
  facts: FactStore,
  { sourceGraphId, report, sets }: SnapshotHead,
  { entityId, structureIds }: { readonly entityId: string; readonly structureIds: ReadonlySet<string> },
): Promise<ReadonlyMap<string, string>> {
  const isKnown = (id: string | null): id is string => id !== null && structureIds.has(id);
  const own = sets.filter(({ structureId }) => isKnown(structureId));
  const others = sets.filter(({ structureId }) => !isKnown(structureId));
  const source = (setId: string) => ({
    origin: 'asserted',
    source_system: 'cross_graph_share',
    asserted_by: sharedBy,
    basis_note: `source_graph=${sourceGraphId} source_report=${report.id} source_fact_set=${setId}`,
  });
  const shared = { entityId, reportId, scenarioId: null, createdBy: sharedBy, now };
  const mergedSet = {
    ...shared,
    structureId: null,
    periodStart: others.flatMap(({ periodStart }) => periodStart ?? []).sort()[0] ?? null,
    periodEnd:
      others
        .map(({ periodEnd }) => periodEnd)
        .sort()
        .at(-1) ?? report.period_end,
    factsetType: 'report' as const,
    provenance: source(
      others
        .map(({ id }) => id)
        .slice(0, 10)
        .join(','),
    ),
  };
  const ids = await facts.createSets(tx, [
    ...own.map((set) => ({ ...shared, ...set, provenance: source(set.id) })),
    ...(others.length === 0 ? [] : [mergedSet]),
  ]);
  const idOf = (index: number): string => ids[index] ?? '';
  return new Map([
    ...own.map((set, index): [string, string] => [set.id, idOf(index)]),
    ...others.map((set): [string, string] => [set.id, idOf(own.length)]),
  ]);
}

/** The statements of known structures, without rows whose concept the recipient does not have (investor H-19). */
async function insertStatements(
  { tx, reportId }: CopyWork,
  structures: StructureParts,
  head: SnapshotHead,
  setIds: ReadonlyMap<string, string>,
  structureIds: ReadonlySet<string>,
): Promise<void> {
  const known = head.statements.filter((statement) => structureIds.has(statement.structure_id));
  const elementIds = known.flatMap(({ rows }) => rows.map((row) => row.element_id));
  const elements = await structures.elements(tx, [...new Set(elementIds)]);
  const rows = known.map((statement) => ({
    ...statement,
    fact_set_id: setIds.get(statement.fact_set_id) ?? '',
    rows: statement.rows.filter((row) => elements.has(row.element_id)),
  }));
  await tx.query(sql`
    insert into reporting_statement (graph_id, report_id, unmapped_count, block_type, structure_id, structure_name,
      fact_set_id, rows, validation)
    select ${tx.graphId}, ${reportId}, 0, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(block_type text, structure_id text,
      structure_name text, fact_set_id text, rows jsonb, validation jsonb)`);
}

/**
 * Finds duplicates among the facts of sets that the copy merges into one, such as cash in two statements with structures
 * that the recipient does not have.
 */
class MergedFacts {
  readonly #mergedSets: ReadonlySet<string>;
  /** The first fact with each key. */
  readonly #seen = new Map<string, string>();
  /** For each fact that was left out, the equal one that was kept. */
  readonly duplicates = new Map<string, string>();

  constructor({ sets }: SnapshotHead, structureIds: ReadonlySet<string>) {
    this.#mergedSets = new Set(
      sets.flatMap(({ id, structureId }) => (structureId !== null && structureIds.has(structureId) ? [] : [id])),
    );
  }

  isNew(fact: SharedFact): boolean {
    if (!this.#mergedSets.has(fact.factSetId)) return true;
    const members = fact.members.map(({ axisElementId, value }) => `${axisElementId ?? ''}=${value}`).sort();
    const key = [fact.elementId, fact.periodStart, fact.periodEnd, fact.unit, ...members].join('|');
    const kept = this.#seen.get(key);
    if (kept === undefined) this.#seen.set(key, fact.id);
    else this.duplicates.set(fact.id, kept);
    return kept === undefined;
  }
}

function groupBySet(
  facts: readonly SharedFact[],
  setIds: ReadonlyMap<string, string>,
): readonly { readonly setId: string; readonly facts: readonly SharedFact[] }[] {
  const groups = new Map<string, SharedFact[]>();
  for (const fact of facts) {
    const setId = setIds.get(fact.factSetId) ?? '';
    const group = groups.get(setId) ?? [];
    group.push(fact);
    groups.set(setId, group);
  }
  return [...groups].map(([setId, group]) => ({ setId, facts: group }));
}

function newFact(fact: SharedFact): NewFact {
  const { id: _id, factSetId: _set, factType, textValue, contentType, ...same } = fact;
  const isText = factType === 'Nonnumeric';
  return {
    ...same,
    ...(isText ? { text: { value: textValue ?? '', contentType: contentType ?? 'text/markdown' } } : {}),
  };
}
