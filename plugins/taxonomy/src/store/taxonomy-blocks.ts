import { type Ids, invalidInput, notFound, ServiceError, StoreError, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { ChartBlock } from '../domain/block.ts';
import { requestedArc, requestedElement, requestedStructure } from '../domain/block-requests.ts';
import { checkChartBlock } from '../domain/check-chart-block.ts';
import { projectUpdate } from '../domain/project-update.ts';
import type { TaxonomyHead } from '../domain/stored-block.ts';
import type { BlockEnvelope } from '../models/taxonomy-block-envelope.ts';
import type { CreateBlockRequest, UpdateBlockRequest } from '../models/taxonomy-block-requests.ts';
import type { BlockWork, ChartListener, ElementGuard, Library, TaxonomyBlocks } from '../tokens.ts';
import { applyRemovals } from './apply-removals.ts';
import { guardIssues, refuseIssues, refuseOtherTypes, refuseRules, refuseTooMany } from './block-refusals.ts';
import { graphOf } from './graph-of.ts';
import { insertRows, taxonomyTable } from './insert-rows.ts';
import { blockEnvelope, readChartBlock, readTaxonomyHead } from './read-block.ts';
import { writeBlock } from './write-block.ts';

export interface BlockParts {
  readonly ids: Ids;
  readonly library: Library;
  readonly guards: readonly ElementGuard[];
  readonly listeners: readonly ChartListener[];
}

/** Creates and updates charts with their mappings; every issue is reported at once (taxonomy T-23). */
export function createTaxonomyBlocks(parts: BlockParts): TaxonomyBlocks {
  return {
    create: (work, request) => createBlock(work, request, parts),
    update: (work, request) => updateBlock(work, request, parts),
  };
}

async function createBlock(work: BlockWork, request: CreateBlockRequest, parts: BlockParts): Promise<BlockEnvelope> {
  refuseOtherTypes(request.taxonomy_type);
  refuseRules(request.rules);
  refuseTooMany(request.elements, request.associations, request.structures);
  const { tx, now, userId } = work;
  const block: ChartBlock = {
    elements: (request.elements ?? []).map(requestedElement),
    structures: (request.structures ?? []).map(requestedStructure),
    arcs: (request.associations ?? []).map(requestedArc),
  };
  const takenQnames = new Set(
    await findQnames(
      tx,
      block.elements.map(({ qname }) => qname),
    ),
  );
  refuseIssues(checkChartBlock(block, { catalogue: parts.library, takenQnames }));

  const id = parts.ids.make('tax');
  const chart = {
    graph_id: graphOf(tx),
    id,
    name: request.name,
    description: request.description ?? null,
    taxonomy_type: 'chart_of_accounts',
    standard: request.standard ?? 'coa',
    version: request.version ?? null,
    namespace_uri: request.namespace_uri ?? null,
    is_locked: false,
    metadata: request.metadata ?? {},
    created_by: userId,
    created_at: now,
    updated_at: now,
  };
  await insertRows(tx, taxonomyTable, [chart]);
  await writeBlock(tx, id, block, new Set(), { ...parts, userId, now });
  for (const listener of parts.listeners) await listener.created({ tx, taxonomyId: id, userId, now });
  return readEnvelope(tx, id);
}

async function updateBlock(work: BlockWork, request: UpdateBlockRequest, parts: BlockParts): Promise<BlockEnvelope> {
  const { tx, now, userId } = work;
  refuseRules(request.rules_to_add);
  refuseRules(request.rules_to_remove);
  refuseTooMany(request.elements_to_add, request.associations_to_add, request.structures_to_add);
  const head = await lockChart(tx, request.taxonomy_id, parts.library);
  const stored = await readChartBlock(tx, head);
  const update = projectUpdate(stored, request);
  const added = update.after.elements.filter(({ id }) => id === null).map(({ qname }) => qname);
  const own = new Set(stored.elements.map(({ qname }) => qname));
  const taken = (await findQnames(tx, added)).filter((qname) => !own.has(qname));
  refuseIssues([
    ...update.issues,
    ...checkChartBlock(update.after, { catalogue: parts.library, takenQnames: new Set(taken) }),
    ...(await guardIssues(tx, stored, update, parts.guards)),
  ]);

  await updateHead(tx, request, now);
  await applyRemovals(tx, update);
  const changed = new Set((request.structures_to_update ?? []).map(({ structure_id }) => structure_id));
  await writeBlock(tx, head.id, update.after, changed, { ...parts, userId, now });
  return readEnvelope(tx, head.id);
}

/** Taxonomy T-36: whoever comes second is told to try again. */
async function lockChart(tx: Transaction, taxonomyId: string, library: Library): Promise<TaxonomyHead> {
  if (library.taxonomyById(taxonomyId) !== undefined) refuseOtherTypes('reporting_standard');
  let head: TaxonomyHead | undefined;
  try {
    head = await readTaxonomyHead(tx, taxonomyId, { lock: true });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'lock-timeout') throw error;
    throw new ServiceError(
      'conflict',
      'TAXONOMY_BUSY',
      'This taxonomy is being updated by another request. Try again.',
      {
        cause: error,
      },
    );
  }
  if (head === undefined) throw notFound(`The taxonomy ${taxonomyId} was not found in this graph.`);
  if (head.taxonomy_type === 'mapping') {
    throw invalidInput(`A mapping is edited with its chart: update the taxonomy ${head.source_taxonomy_id}.`);
  }
  refuseOtherTypes(head.taxonomy_type);
  return head;
}

async function findQnames(tx: Transaction, qnames: readonly string[]): Promise<readonly string[]> {
  if (qnames.length === 0) return [];
  const rows = await tx.query(sql<{ qname: string }>`select qname from taxonomy_element
    where graph_id = ${graphOf(tx)} and qname = any(${qnames}::text[])`);
  return rows.map(({ qname }) => qname);
}

async function updateHead(tx: Transaction, request: UpdateBlockRequest, now: Date): Promise<void> {
  await tx.query(sql`update taxonomy_taxonomy set name = coalesce(${request.name ?? null}, name),
      description = coalesce(${request.description ?? null}, description),
      version = coalesce(${request.version ?? null}, version), updated_at = ${now}
    where graph_id = ${graphOf(tx)} and id = ${request.taxonomy_id}`);
}

async function readEnvelope(tx: Transaction, taxonomyId: string): Promise<BlockEnvelope> {
  const head = await readTaxonomyHead(tx, taxonomyId, { lock: false });
  if (head === undefined) throw new Error('A taxonomy that was just written cannot be read back.');
  return blockEnvelope(await readChartBlock(tx, head));
}
