import { type Ids, invalidInput, notFound, ServiceError, StoreError, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { EntityLinks } from '../charts/index.ts';
import { checkBlock, repeatedPatches, unusableNamesOfBlock, unusableNamesOfUpdate } from '../checks/index.ts';
import { autoRules, type LibraryCatalog } from '../library/index.ts';
import type { BlockEnvelope, LazyBlock } from '../models/taxonomy-block-envelope.ts';
import type {
  CreateBlockRequest,
  DeleteBlockAnswer,
  DeleteBlockRequest,
  UpdateBlockRequest,
} from '../models/taxonomy-block-requests.ts';
import type { TaxonomyAssociation, TaxonomyElement, TaxonomyRule } from '../rows.gen.ts';
import { insertRows, taxonomyTable } from '../values/index.ts';
import { type Block, libraryGraphId, type StoredBlock, type TaxonomyHead, taxonomyType } from '../vocabulary/index.ts';
import { applyRemovals } from './apply-removals.ts';
import {
  blockStructureIssues,
  guardIssues,
  lockElementsToDelete,
  refuseGated,
  refuseIssues,
  refuseShipped,
  refuseTooMany,
  usedStructuresOf,
} from './block-refusals.ts';
import { requestedArc, requestedElement, requestedRule, requestedStructure } from './block-requests.ts';
import type { BlockWork } from './block-work.ts';
import { deleteBlock } from './delete-block.ts';
import type { BlockDependant, ChartListener, ElementGuard } from './dependants.ts';
import { blockEnvelope } from './envelope.ts';
import { findExtensionConcepts } from './extension-concepts.ts';
import { type BlockListFilter, findLazyBlock, listLazyBlocks } from './lazy-blocks.ts';
import { projectUpdate, withoutStructures } from './project-update.ts';
import { readBlock, readTaxonomyHead } from './read-block.ts';
import { writeBlock } from './write-block.ts';
import { deleteRules, insertRules, refreshAutoRules } from './write-rules.ts';

/** Writes and reads of taxonomy blocks, for this plugin's operations and queries. */
export interface TaxonomyBlocks {
  create(work: BlockWork, request: CreateBlockRequest): Promise<BlockEnvelope>;
  update(work: BlockWork, request: UpdateBlockRequest): Promise<BlockEnvelope>;
  remove(work: BlockWork, request: DeleteBlockRequest): Promise<DeleteBlockAnswer>;
  /** One block with lazily read lists; undefined for a taxonomy that is not a block (taxonomy T-45). */
  find(tx: Transaction, taxonomyId: string): Promise<LazyBlock | undefined>;
  /** A page of blocks, the graph's own first; each kind of atom is read for the whole page at once (T-46). */
  list(tx: Transaction, filter: BlockListFilter): Promise<readonly LazyBlock[]>;
}

export interface BlockParts {
  readonly ids: Ids;
  readonly library: LibraryCatalog;
  readonly guards: readonly ElementGuard[];
  readonly listeners: readonly ChartListener[];
  readonly dependants: readonly BlockDependant[];
  readonly links: readonly EntityLinks[];
  /** False keeps extensions and vocabularies read-only; charts are never affected (taxonomy T-5). */
  readonly isAuthoringEnabled: boolean;
}

/**
 * Creates, updates, deletes and reads taxonomies with all their parts; issues are reported all at once (taxonomy T-23).
 */
export function createTaxonomyBlocks(parts: BlockParts): TaxonomyBlocks {
  return {
    create: (work, request) => orBusy(createBlock(work, request, parts)),
    update: (work, request) => orBusy(updateBlock(work, request, parts)),
    remove: async (work, request) => {
      const head = await lockTaxonomy(work.tx, request.taxonomy_id, parts.library);
      return deleteBlock(work, request, head, parts);
    },
    find: (tx, taxonomyId) => findLazyBlock(tx, taxonomyId, parts),
    list: (tx, filter) => listLazyBlocks(tx, filter, parts),
  };
}

/** Reports a name that is taken as a 409: of two concurrent requests for one name, both pass the checks. */
async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
    const message = 'Another request has just used a name or code of this request. Read the taxonomy and try again.';
    throw new ServiceError('conflict', 'TAXONOMY_BUSY', message, { cause: error });
  }
}

async function createBlock(work: BlockWork, request: CreateBlockRequest, parts: BlockParts): Promise<BlockEnvelope> {
  refuseShipped(request.taxonomy_type);
  refuseGated(request.taxonomy_type, parts.isAuthoringEnabled);
  refuseTooMany(request);
  const { tx, now, userId } = work;
  const prefix = request.standard ?? taxonomyType(request.taxonomy_type)?.prefix ?? 'custom';
  const isExtension = request.taxonomy_type === 'reporting_extension';
  const block: Block = {
    taxonomyType: request.taxonomy_type,
    parentTaxonomyId: isExtension ? (request.parent_taxonomy_id ?? null) : null,
    namespaceUri: request.namespace_uri ?? null,
    elements: (request.elements ?? []).map((element) => requestedElement(element, prefix)),
    structures: (request.structures ?? []).map(requestedStructure),
    arcs: (request.associations ?? []).map(requestedArc),
    rules: (request.rules ?? []).map(requestedRule),
  };
  const surroundings = await surroundingsOf(tx, block, new Set(), parts.library);
  refuseIssues([...unusableNamesOfBlock(request), ...checkBlock(block, surroundings)]);

  const id = parts.ids.make('tax');
  const row = {
    graph_id: tx.graphId,
    id,
    name: request.name,
    description: request.description ?? null,
    taxonomy_type: request.taxonomy_type,
    standard: request.standard ?? taxonomyType(request.taxonomy_type)?.prefix ?? null,
    version: request.version ?? null,
    namespace_uri: request.namespace_uri ?? null,
    parent_taxonomy_id: block.parentTaxonomyId,
    is_locked: false,
    metadata: request.metadata ?? {},
    created_by: userId,
    created_at: now,
    updated_at: now,
  };
  await insertRows(tx, taxonomyTable, [row]);
  const writing = { ...parts, extensionIds: idsOf(surroundings.extensionConcepts), userId, now };
  const written = await writeBlock(tx, id, block, new Set(), writing);
  const rules = [...block.rules, ...autoRules(block)];
  await insertRules(tx, rules, { ids: parts.ids, taxonomyId: id, written, userId, now });
  if (request.taxonomy_type === 'chart_of_accounts') {
    // A new chart becomes the primary one of the entity (taxonomy T-28).
    for (const listener of parts.listeners) await listener.created({ tx, taxonomyId: id, userId, now });
  }
  return readEnvelope(tx, id, []);
}

async function updateBlock(work: BlockWork, request: UpdateBlockRequest, parts: BlockParts): Promise<BlockEnvelope> {
  const { tx, now, userId } = work;
  refuseTooMany({
    elements: [...(request.elements_to_add ?? []), ...(request.elements_to_update ?? [])],
    associations: request.associations_to_add,
    structures: [...(request.structures_to_add ?? []), ...(request.structures_to_update ?? [])],
    rules: request.rules_to_add,
  });
  const head = await lockTaxonomy(tx, request.taxonomy_id, parts.library);
  if (head === undefined) throw notFound(`The taxonomy ${request.taxonomy_id} was not found in this graph.`);
  refuseUneditable(head);
  refuseGated(head.taxonomy_type, parts.isAuthoringEnabled);
  const stored = await readBlock(tx, head);
  const update = projectUpdate(stored, request, await knownElsewhere(tx, request, parts.library));
  const own = new Set(stored.elements.map(({ qname }) => qname));
  const structureIds = stored.structures.map(({ id }) => id);
  const kept = new Set(await usedStructuresOf(tx, structureIds, parts.guards));
  const after = withoutStructures(update.after, kept);
  const surroundings = await surroundingsOf(tx, after, own, parts.library);
  const removedIds = update.removedElements.map(({ id }) => id);
  await lockElementsToDelete(tx, removedIds);
  refuseIssues([
    ...unusableNamesOfUpdate(request),
    ...repeatedPatches(request),
    ...update.issues,
    ...blockStructureIssues(request, stored, update, kept),
    ...checkBlock(after, surroundings),
    ...(await guardIssues(tx, stored, update, parts)),
  ]);

  await updateHead(tx, request, now);
  await applyRemovals(tx, update);
  const changed = new Set((request.structures_to_update ?? []).map(({ structure_id }) => structure_id));
  const writing = { ...parts, extensionIds: idsOf(surroundings.extensionConcepts), userId, now };
  const written = await writeBlock(tx, head.id, after, changed, writing);
  const removedRuleIds = update.removedRules.map(({ id }) => id);
  await deleteRules(tx, removedRuleIds);
  const ruleParts = { ids: parts.ids, taxonomyId: head.id, written, userId, now };
  await insertRules(tx, after.rules, ruleParts);
  const remainingRules = stored.rules.filter(({ id }) => !removedRuleIds.includes(id));
  const stale = update.isStructural ? await refreshAutoRules(tx, after, remainingRules, ruleParts) : [];
  for (const dependant of parts.dependants) await dependant.removeResults(tx, [...removedRuleIds, ...stale]);
  return readEnvelope(tx, head.id, parts.dependants);
}

/** A second concurrent request must retry (taxonomy T-36). Undefined when the graph has no such taxonomy. */
async function lockTaxonomy(tx: Transaction, id: string, library: LibraryCatalog): Promise<TaxonomyHead | undefined> {
  const shipped = library.taxonomyById(id);
  if (shipped !== undefined) {
    refuseShipped(shipped.taxonomyType);
    throw invalidInput(`The taxonomy ${id} is locked: it belongs to the shipped library.`);
  }
  try {
    return await readTaxonomyHead(tx, id, { lock: true });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'lock-timeout') throw error;
    const message = 'This taxonomy is being updated by another request. Try again.';
    throw new ServiceError('conflict', 'TAXONOMY_BUSY', message, { cause: error });
  }
}

function refuseUneditable(head: TaxonomyHead): void {
  if (head.taxonomy_type === 'mapping') {
    throw invalidInput(`A mapping is edited with its chart: update the taxonomy ${head.source_taxonomy_id}.`);
  }
  if (head.is_locked) throw invalidInput(`The taxonomy ${head.id} is locked and cannot be changed.`);
}

/** Existing names of the graph that a block uses. */
async function surroundingsOf(tx: Transaction, block: Block, own: ReadonlySet<string>, library: LibraryCatalog) {
  const local = new Set(block.elements.map(({ qname }) => qname));
  const added = block.elements.filter(({ id }) => id === null).map(({ qname }) => qname);
  const taken = (await findQnames(tx, added)).filter((qname) => !own.has(qname));
  const isForeign = (qname: string) => !local.has(qname) && library.elementByQname(qname) === undefined;
  // Only accounts are mapped, so only charts name concepts of extensions.
  const targets = block.taxonomyType === 'chart_of_accounts' ? block.arcs.map(({ to }) => to) : [];
  const extensionConcepts = await findExtensionConcepts(tx, [...new Set(targets)].filter(isForeign));
  return { catalog: library, takenQnames: new Set(taken), extensionConcepts };
}

function idsOf(concepts: ReadonlyMap<string, { readonly id: string }>): ReadonlyMap<string, string> {
  return new Map([...concepts].map(([qname, { id }]) => [qname, id]));
}

async function findQnames(tx: Transaction, qnames: readonly string[]): Promise<readonly string[]> {
  if (qnames.length === 0) return [];
  const rows = await tx.query(sql<{
    readonly qname: NonNullable<TaxonomyElement['qname']>;
  }>`select qname from taxonomy_element
    where graph_id = ${tx.graphId} and qname = any(${qnames}::text[])`);
  return rows.map(({ qname }) => qname);
}

async function knownElsewhere(tx: Transaction, request: UpdateBlockRequest, library: LibraryCatalog) {
  const idsIn = async (table: string, ids: readonly string[] | undefined) => {
    if (ids === undefined || ids.length === 0) return new Set<string>();
    const rows = await tx.query(
      sql<Pick<TaxonomyAssociation | TaxonomyRule, 'id'>>`select id from ${sql.table(table)}
        where graph_id in (${tx.graphId}, ${libraryGraphId}) and id = any(${[...ids]}::text[])`,
    );
    return new Set(rows.map(({ id }) => id));
  };
  return {
    associationIds: await idsIn('taxonomy_association', request.associations_to_remove),
    ruleIds: await idsIn('taxonomy_rule', request.rules_to_remove),
    isShipped: (qname: string) => library.elementByQname(qname) !== undefined,
  };
}

async function updateHead(tx: Transaction, request: UpdateBlockRequest, now: Date): Promise<void> {
  await tx.query(sql`update taxonomy_taxonomy set name = coalesce(${request.name ?? null}, name),
      description = coalesce(${request.description ?? null}, description),
      version = coalesce(${request.version ?? null}, version), updated_at = ${now}
    where graph_id = ${tx.graphId} and id = ${request.taxonomy_id}`);
}

async function readEnvelope(
  tx: Transaction,
  taxonomyId: string,
  dependants: readonly BlockDependant[],
): Promise<BlockEnvelope> {
  const head = await readTaxonomyHead(tx, taxonomyId, { lock: false });
  if (head === undefined) throw new Error('A taxonomy that was just written cannot be read back.');
  const block: StoredBlock = await readBlock(tx, head);
  const ruleIds = block.rules.map(({ id }) => id);
  const results = await Promise.all(dependants.map((dependant) => dependant.results(tx, ruleIds)));
  return blockEnvelope(block, results.flat());
}
