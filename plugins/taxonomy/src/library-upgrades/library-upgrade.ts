import { columnsOf, invalidInput, type RowOf, ServiceError, type Store, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import { closedMonthsOf, type ElementGuard, type MonthSpan } from '../blocks/index.ts';
import {
  type CalculationArc,
  carriedRetirements,
  conceptsAffected,
  type LibraryChanges,
  type LibraryContent,
  type LibraryPin,
  type LibraryRows,
  libraryAssociationId,
  libraryChanges,
  type ReplaceableConcept,
  type RetiredConceptRow,
  readPin,
  replaceableColumns,
} from '../library/index.ts';
import type { TaxonomyAssociation, TaxonomyElement } from '../rows.gen.ts';
import { libraryGraphId } from '../vocabulary/index.ts';

const maxListedRows = 1_000;
const maxNamedInMessage = 20;

/** A concept that a release removes although a graph has mappings to it. */
export interface BlockingConcept {
  readonly graphId: string;
  readonly qname: string;
  readonly accounts: number;
}

/** Accounts of a graph that a release moves from a retired concept to its replacement. */
export interface MovedConcept extends BlockingConcept {
  /** The qname of the replacement. */
  readonly replacedBy: string;
}

/** The effect of a release on the library, and the graphs that block it (taxonomy LB-11). */
export interface LibraryUpgradeReport {
  readonly changes: LibraryChanges;
  /** At most 1,000; the release is rejected unless empty. */
  readonly held: readonly BlockingConcept[];
  /** Mappings that move from a retired concept to its replacement; at most 1,000 (taxonomy LB-5). */
  readonly moved: readonly MovedConcept[];
  /** Pins to editions that the release does not contain; the release is rejected unless empty. */
  readonly leftBehind: readonly SharedPin[];
}

/** A pin with the graphs that have it. */
export interface SharedPin {
  readonly pin: LibraryPin;
  /** At most 1,000. */
  readonly graphIds: readonly string[];
}

/** A mapping arc that an upgrade affects. */
export interface AffectedMapping {
  readonly accountId: string;
  /** The qname of the concept. */
  readonly concept: string;
  /** The concept is removed or replaced, or a calculation that its amounts flow into changes. */
  readonly because: 'missing' | 'replaced' | 'calculation';
}

/** The effect of an upgrade on one graph (taxonomy LB-12). */
export interface PinUpgradeReport {
  readonly changes: LibraryChanges;
  /** Mapped concepts that the new edition lacks, because of which the upgrade is rejected. */
  readonly missing: readonly string[];
  /** The affected mappings of the graph, by concept. */
  readonly affected: readonly AffectedMapping[];
  /** Closed months whose totals would change; undefined for none. */
  readonly closedMonths: MonthSpan | undefined;
}

/** Reports the effect of a release without writing. Needs the tables of the release, but none of its rows. */
export async function libraryUpgradeReport(store: Store, rows: LibraryRows): Promise<LibraryUpgradeReport> {
  const stored = await store.transaction({ graphId: libraryGraphId }, storedContent, { readOnly: true });
  const carried = carriedRetirements(stored.elements, rows);
  const changes = libraryChanges(withReplacements(stored, carried), contentOf(rows));
  return store.transaction(
    'kernel',
    async (tx) => ({
      changes,
      ...(await mappedDropped(tx, changes.dropped, carried)),
      leftBehind: (await sharedPins(tx)).filter(({ pin }) => typeof readPin(pin, rows.taxonomies) === 'string'),
    }),
    { readOnly: true },
  );
}

/** Removed concepts with mappings: those that block the start of the release, and those that are moved. */
async function mappedDropped(
  tx: Transaction,
  dropped: LibraryContent['elements'],
  carried: ReadonlyMap<string, RetiredConceptRow>,
): Promise<Pick<LibraryUpgradeReport, 'held' | 'moved'>> {
  const held = await mappedTo(
    tx,
    dropped.filter(({ id }) => !carried.has(id)),
  );
  const names = new Map([...carried.values()].map(({ qname, replacedBy }) => [qname, replacedBy]));
  const moved = await mappedTo(
    tx,
    dropped.filter(({ id }) => carried.has(id)),
  );
  return { held, moved: moved.map((row) => ({ ...row, replacedBy: names.get(row.qname) ?? row.qname })) };
}

async function mappedTo(tx: Transaction, dropped: LibraryContent['elements']): Promise<readonly BlockingConcept[]> {
  if (dropped.length === 0) return [];
  const qnames = new Map(dropped.map(({ id, qname }) => [id, qname]));
  const found = await tx.query(sql<
    Pick<TaxonomyAssociation, 'graph_id'> & {
      readonly concept_id: TaxonomyAssociation['to_element_id'];
      readonly accounts: number;
    }
  >`
    select graph_id, to_element_id as concept_id, count(*)::int as accounts from taxonomy_association
    where association_type = 'mapping' and to_element_id = any(${[...qnames.keys()]}::text[])
    group by graph_id, to_element_id order by graph_id, to_element_id limit ${maxListedRows}`);
  return found.map(({ graph_id, concept_id, accounts }) => {
    return { graphId: graph_id, qname: qnames.get(concept_id) ?? concept_id, accounts };
  });
}

async function sharedPins(tx: Transaction): Promise<readonly SharedPin[]> {
  return tx.query(sql<SharedPin>`select jsonb_build_object('framework', framework, 'overrides', overrides) as pin,
      (array_agg(graph_id order by graph_id))[1:${sql.lit(maxListedRows)}] as "graphIds"
    from taxonomy_view where framework is not null group by framework, overrides order by framework, overrides`);
}

/**
 * Throws when a release removes concepts or editions that graphs are mapped or pinned to, and names them (taxonomy
 * LB-9, LB-11).
 */
export function refuseHeldConcepts({ held, leftBehind }: LibraryUpgradeReport): void {
  if (leftBehind.length > 0) {
    const pins = leftBehind.map(({ pin, graphIds }) => `${JSON.stringify(pin)} of ${someOf(graphIds)}`);
    throw new Error(
      `This release does not contain the editions to which graphs are pinned: ${pins.join('; ')}. ` +
        'Remove the pins with "pacioli library unpin" and start again, or return to the previous release.',
    );
  }
  if (held.length === 0) return;
  const lines = held.map(({ graphId, qname, accounts }) => `${graphId}: ${qname} (${accounts} account(s))`);
  throw new Error(
    `This release removes concepts to which graphs have mapped accounts: ${someOf(lines)}. ` +
      'Return to the previous release, map these accounts to other concepts, then upgrade.',
  );
}

function someOf(lines: readonly string[]): string {
  const more = lines.length > maxNamedInMessage ? ` and ${lines.length - maxNamedInMessage} more` : '';
  return `${lines.slice(0, maxNamedInMessage).join(', ')}${more}`;
}

/** Reports the effect of another edition on the graph without writing (taxonomy LB-12). */
export async function dryRunUpgrade(
  tx: Transaction,
  next: LibraryRows,
  guards: readonly ElementGuard[],
): Promise<PinUpgradeReport> {
  const stored = await storedContent(tx);
  const after = contentOf(next);
  const carried = carriedRetirements(stored.elements, next);
  const changes = libraryChanges(withReplacements(stored, carried), after);
  const mapped = await mappedAccounts(tx);
  const dropped = new Set(changes.dropped.map(({ id }) => id));
  const arcs = [...stored.calculations, ...after.calculations];
  const reached = conceptsAffected(changes.calculations, arcs, new Set(mapped.map(({ conceptId }) => conceptId)));
  const accountIds = mapped.filter(({ conceptId }) => reached.has(conceptId)).map(({ accountId }) => accountId);
  const qnames = new Map([...stored.elements, ...after.elements].map(({ id, qname }) => [id, qname]));
  const affected = mapped.flatMap(({ accountId, conceptId }): readonly AffectedMapping[] => {
    const concept = qnames.get(conceptId) ?? conceptId;
    if (carried.has(conceptId)) return [{ accountId, concept, because: 'replaced' }];
    if (dropped.has(conceptId)) return [{ accountId, concept, because: 'missing' }];
    return reached.has(conceptId) ? [{ accountId, concept, because: 'calculation' }] : [];
  });
  const missing = affected.flatMap(({ concept, because }) => (because === 'missing' ? [concept] : []));
  return {
    changes,
    missing: [...new Set(missing)].sort(),
    affected: affected.sort((a, b) => (a.concept < b.concept ? -1 : a.concept > b.concept ? 1 : 0)),
    closedMonths: await closedMonthsOf(tx, accountIds, guards),
  };
}

/** Rejects an upgrade when mapped concepts are missing (taxonomy LB-12 a). */
export function refuseMissing({ missing }: PinUpgradeReport): void {
  if (missing.length === 0) return;
  throw new ServiceError(
    'invalid_input',
    'INVALID_INPUT',
    `The new edition lacks concepts that accounts are mapped to: ${missing.join(', ')}. Map these accounts to other concepts first.`,
    { details: { missing } },
  );
}

/** The ids of the concepts that the graph's accounts are mapped to. */
export async function mappedConceptIds(tx: Transaction): Promise<ReadonlySet<string>> {
  return new Set((await mappedAccounts(tx)).map(({ conceptId }) => conceptId));
}

const maxMappedAccounts = 50_000;

async function mappedAccounts(tx: Transaction) {
  const rows = await tx.query(sql<{
    readonly accountId: TaxonomyAssociation['from_element_id'];
    readonly conceptId: TaxonomyAssociation['to_element_id'];
  }>`
    select from_element_id as "accountId", to_element_id as "conceptId" from taxonomy_association
    where graph_id = ${tx.graphId} and association_type = 'mapping' limit ${maxMappedAccounts + 1}`);
  if (rows.length > maxMappedAccounts) throw invalidInput(`More than ${maxMappedAccounts} accounts are mapped.`);
  return rows;
}

interface StoredContent extends LibraryContent {
  readonly elements: readonly (ReplaceableConcept & { readonly qname: string })[];
  readonly calculations: readonly (CalculationArc & { readonly structureId: string })[];
}

const calculationColumns = columnsOf<TaxonomyAssociation>()({
  id: 'id',
  structureId: 'structure_id',
  totalId: 'from_element_id',
  itemId: 'to_element_id',
});

/** The stored library without the concepts that earlier releases removed. */
async function storedContent(tx: Transaction): Promise<StoredContent> {
  const elements = await tx.query(sql<
    RowOf<typeof replaceableColumns> & { readonly qname: NonNullable<TaxonomyElement['qname']> }
  >`select ${replaceableColumns}, qname from taxonomy_element
    where graph_id = ${libraryGraphId} and not is_deprecated and qname is not null order by qname`);
  const calculations = await tx.query(sql<
    RowOf<typeof calculationColumns> & { readonly weight: number }
  >`select ${calculationColumns}, coalesce(weight, 1)::float8 as weight
    from taxonomy_association
    where graph_id = ${libraryGraphId} and association_type = 'calculation' and not is_deprecated order by id`);
  return { elements, calculations };
}

/** Replaces retired concepts in the arcs of the stored library, because an arc under a new name is not a change. */
function withReplacements(
  { elements, calculations }: StoredContent,
  carried: ReadonlyMap<string, RetiredConceptRow>,
): LibraryContent {
  const replaced = (id: string) => carried.get(id)?.replacedById ?? id;
  return {
    elements: elements.map(({ id, qname }) => ({ id, qname })),
    calculations: calculations.map((arc) => {
      if (!carried.has(arc.totalId) && !carried.has(arc.itemId)) return arc;
      const [totalId, itemId] = [replaced(arc.totalId), replaced(arc.itemId)];
      const ends = { structureId: arc.structureId, fromElementId: totalId, toElementId: itemId };
      return { ...arc, id: libraryAssociationId({ ...ends, associationType: 'calculation' }), totalId, itemId };
    }),
  };
}

function contentOf({ elements, associations }: LibraryRows): LibraryContent {
  return {
    elements: elements.map(({ id, qname }) => ({ id, qname })),
    calculations: associations
      .filter(({ associationType }) => associationType === 'calculation')
      .map(({ id, fromElementId, toElementId, weight }) => ({
        id,
        totalId: fromElementId,
        itemId: toElementId,
        weight: weight ?? 1,
      })),
  };
}
