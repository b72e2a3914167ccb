import type { Ids, Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import { createMapping } from '../charts/index.ts';
import { depthsOf, storedBalance, storedPeriod } from '../checks/index.ts';
import { arcroleOf, type LibraryCatalog } from '../library/index.ts';
import {
  associationTable,
  codeOrder,
  elementTable,
  insertRows,
  type RowValues,
  structureTable,
} from '../values/index.ts';
import { type Block, type BlockArc, type BlockElement, type BlockStructure, liquidityOf } from '../vocabulary/index.ts';

export interface WriteParts {
  readonly ids: Ids;
  readonly library: LibraryCatalog;
  /** Ids of the graph's extension concepts that mapping arcs name. */
  readonly extensionIds: ReadonlyMap<string, string>;
  readonly userId: string;
  readonly now: Date;
}

/** The ids of the written rows, for rows that refer to them. */
export interface WrittenIds {
  elementId(qname: string): string | undefined;
  /** By id or name. */
  structureId(ref: string): string | undefined;
}

/**
 * Writes a checked block: rows without an id are inserted, rows with an id are updated where they differ. A constant
 * number of statements.
 */
export async function writeBlock(
  tx: Transaction,
  taxonomyId: string,
  block: Block,
  changed: ReadonlySet<string>,
  parts: WriteParts,
): Promise<WrittenIds> {
  const stamp = { graph_id: tx.graphId, created_by: parts.userId, created_at: parts.now, updated_at: parts.now };
  const elementIds = new Map(block.elements.map(({ id, qname }) => [qname, id ?? parts.ids.make('elem')]));
  const elementId = (qname: string) =>
    elementIds.get(qname) ?? parts.library.elementByQname(qname)?.id ?? parts.extensionIds.get(qname);
  const depths = depthsOf(block.elements);
  const isChart = block.taxonomyType === 'chart_of_accounts';
  const values = block.elements.map((element) => ({
    ...stamp,
    ...elementValues(element, isChart),
    id: elementIds.get(element.qname),
    taxonomy_id: taxonomyId,
    parent_id: element.parentQname === null ? null : (elementId(element.parentQname) ?? null),
    depth: depths.get(element.qname) ?? 0,
  }));
  const isNew = (index: number) => block.elements[index]?.id === null;
  await updateElements(
    tx,
    values.filter((_row, index) => !isNew(index)),
    parts.now,
  );
  await insertRows(
    tx,
    elementTable,
    values.filter((_row, index) => isNew(index)),
  );

  const structureIds = await writeStructures(tx, taxonomyId, block.structures, changed, { ...parts, stamp });
  await insertRows(
    tx,
    associationTable,
    block.arcs
      .filter(({ id }) => id === null)
      .map((arc) => associationValues(arc, { ...parts, stamp, elementId, structureIds })),
  );
  return { elementId, structureId: (ref) => structureIds.get(ref) };
}

function elementValues(element: BlockElement, isChart: boolean): RowValues {
  return {
    qname: element.qname,
    code: element.code,
    code_order: element.code === null ? null : codeOrder(element.code),
    name: element.name,
    description: element.description,
    trait: element.trait,
    liquidity: liquidityOf(element.trait ?? '', element.subClassification),
    sub_classification: element.subClassification,
    balance_type: storedBalance(element, isChart),
    period_type: storedPeriod(element, isChart),
    element_type: element.elementType,
    item_type: element.isMonetary ? 'monetary' : null,
    is_abstract: element.elementType !== 'concept',
    is_monetary: element.isMonetary,
    is_active: element.isActive,
    source: 'native',
    metadata: element.metadata,
  };
}

/** One statement for all stored elements; unchanged rows are not touched. */
async function updateElements(tx: Transaction, rows: readonly RowValues[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`update taxonomy_element e set
      name = i.name, description = i.description, trait = i.trait, liquidity = i.liquidity, balance_type = i.balance_type,
      period_type = i.period_type, is_monetary = i.is_monetary, code = i.code, code_order = i.code_order,
      parent_id = i.parent_id, depth = i.depth, metadata = i.metadata, is_active = i.is_active, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(id text, name text, description text, trait text,
      liquidity text, balance_type text, period_type text, is_monetary boolean, code text, code_order text, parent_id text,
      depth integer,
      metadata jsonb, is_active boolean)
    where e.graph_id = ${tx.graphId} and e.id = i.id
      and (e.name, e.description, e.trait, e.liquidity, e.balance_type, e.period_type, e.is_monetary, e.code, e.parent_id, e.depth,
        e.metadata, e.is_active)
      is distinct from (i.name, i.description, i.trait, i.liquidity, i.balance_type, i.period_type, i.is_monetary, i.code,
        i.parent_id,
        i.depth, i.metadata, i.is_active)`);
}

type StampedParts = WriteParts & { readonly stamp: RowValues };

async function writeStructures(
  tx: Transaction,
  taxonomyId: string,
  structures: readonly BlockStructure[],
  changed: ReadonlySet<string>,
  parts: StampedParts,
): Promise<ReadonlyMap<string, string>> {
  const idsByRef = new Map<string, string>();
  const plain: RowValues[] = [];
  for (const structure of structures) {
    let { id } = structure;
    if (id === null && structure.blockType === 'coa_mapping') {
      // A mapping has its own taxonomy (taxonomy M-3). A chart has one mapping, so this is not a loop of statements.
      id = await createMapping(tx, {
        stamp: parts.stamp,
        ids: parts.ids,
        sourceTaxonomyId: taxonomyId,
        name: structure.name,
        description: structure.description,
        metadata: structure.metadata,
      });
    } else if (id === null) {
      id = parts.ids.make('struct');
      plain.push({ ...parts.stamp, ...structureValues(structure), id, taxonomy_id: taxonomyId });
    } else {
      idsByRef.set(id, id);
    }
    idsByRef.set(structure.name, id);
  }
  await insertRows(tx, structureTable, plain);
  const patched = structures.filter(({ id }) => id !== null && changed.has(id));
  await updateStructures(
    tx,
    patched.map((structure) => ({ ...structureValues(structure), id: structure.id })),
    parts.now,
  );
  return idsByRef;
}

function structureValues(structure: BlockStructure): RowValues {
  return {
    name: structure.name,
    description: structure.description,
    block_type: structure.blockType,
    concept_arrangement: structure.conceptArrangement,
    role_uri: structure.roleUri,
    metadata: structure.metadata,
  };
}

async function updateStructures(tx: Transaction, rows: readonly RowValues[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`update taxonomy_structure s set name = i.name, description = i.description,
      concept_arrangement = i.concept_arrangement, role_uri = i.role_uri, metadata = i.metadata, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(id text, name text, description text,
      concept_arrangement text, role_uri text, metadata jsonb)
    where s.graph_id = ${tx.graphId} and s.id = i.id`);
}

function associationValues(
  arc: BlockArc,
  parts: StampedParts & {
    readonly elementId: (qname: string) => string | undefined;
    readonly structureIds: ReadonlyMap<string, string>;
  },
): RowValues {
  const isMapping = arc.associationType === 'mapping';
  return {
    ...parts.stamp,
    id: parts.ids.make('assoc'),
    structure_id: parts.structureIds.get(arc.structureRef),
    from_element_id: parts.elementId(arc.from),
    to_element_id: parts.elementId(arc.to),
    association_type: arc.associationType,
    arcrole: arc.arcrole ?? arcroleOf(arc.associationType),
    order_value: arc.orderValue ?? 0,
    weight: arc.weight,
    // A user who writes an arc approves it (taxonomy M-10).
    approved_by: isMapping ? parts.userId : null,
    approved_at: isMapping ? parts.now : null,
    metadata: arc.metadata,
  };
}
