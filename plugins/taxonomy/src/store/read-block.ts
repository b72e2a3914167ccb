import type { Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { StoredArc, StoredBlock, StoredElement, StoredStructure, TaxonomyHead } from '../domain/stored-block.ts';
import { libraryGraphId } from '../domain/vocabulary.ts';
import type { BlockEnvelope } from '../models/taxonomy-block-envelope.ts';
import { graphOf } from './graph-of.ts';

const atoms_max = 100_000;

/** The head of a taxonomy of this graph; with `lock` it waits for nobody and fails with `lock-timeout` (T-36). */
export async function readTaxonomyHead(
  tx: Transaction,
  taxonomyId: string,
  options: { readonly lock: boolean },
): Promise<TaxonomyHead | undefined> {
  const rows =
    await tx.query(sql<TaxonomyHead>`select id, name, taxonomy_type, version, standard, namespace_uri, is_locked,
      source_taxonomy_id
    from taxonomy_taxonomy where graph_id = ${graphOf(tx)} and id = ${taxonomyId}
    ${options.lock ? sql`for update nowait` : sql``}`);
  return rows[0];
}

/** Reads a chart and the mappings sourced from it (taxonomy M-4) with three statements. */
export async function readChartBlock(tx: Transaction, head: TaxonomyHead): Promise<StoredBlock> {
  const graphId = graphOf(tx);
  const structures = await readStructures(tx, head.id);
  const elements = await tx.query(sql<ElementRow>`select e.id, e.qname, e.name, e.code, e.description, e.trait,
      e.balance_type, e.period_type, e.element_type, e.is_monetary, e.is_active,
      e.sub_classification, e.depth, e.metadata,
      p.qname as parent_qname
    from taxonomy_element e
    left join taxonomy_element p on p.graph_id = e.graph_id and p.id = e.parent_id
    where e.graph_id = ${graphId} and e.taxonomy_id = ${head.id}
    order by e.code_order nulls last, e.name, e.id limit ${atoms_max}`);
  const arcs =
    await tx.query(sql<ArcRow>`select a.id, a.structure_id, a.from_element_id, a.to_element_id, f.qname as from_qname,
      c.qname as to_qname, a.association_type, a.order_value, a.arcrole, a.weight, a.metadata
    from taxonomy_association a
    join taxonomy_element f on f.id = a.from_element_id and f.graph_id in (${graphId}, ${libraryGraphId})
    join taxonomy_element c on c.id = a.to_element_id and c.graph_id in (${graphId}, ${libraryGraphId})
    where a.graph_id = ${graphId} and a.structure_id = any(${structures.map(({ id }) => id)}::text[])
    order by a.order_value, c.qname nulls last, a.id limit ${atoms_max}`);
  return { head, structures, elements: elements.map(elementOf), arcs: arcs.map(arcOf) };
}

/** The answer of create and update (taxonomy T-30). */
export function blockEnvelope({ head, elements, structures, arcs }: StoredBlock): BlockEnvelope {
  return {
    id: head.id,
    name: head.name,
    taxonomy_type: head.taxonomy_type,
    display_name: 'Chart of Accounts',
    category: 'Chart',
    parent_taxonomy_id: null,
    parent_taxonomy_name: null,
    version: head.version,
    standard: head.standard,
    namespace_uri: head.namespace_uri,
    is_locked: head.is_locked,
    elements: elements.map((element) => ({
      id: element.id,
      name: element.name,
      origin: 'tenant' as const,
      qname: element.qname,
      trait: element.trait,
      balance_type: element.balanceType,
      period_type: element.periodType,
      element_type: element.elementType,
      is_monetary: element.isMonetary,
      parent_qname: element.parentQname,
      depth: element.depth,
    })),
    structures: structures.map(({ id, name, blockType, description, roleUri }) => ({
      id,
      name,
      block_type: blockType,
      description,
      role_uri: roleUri,
    })),
    associations: arcs.map((arc) => ({
      id: arc.id,
      structure_id: arc.structureRef,
      from_element_qname: arc.from,
      to_element_qname: arc.to,
      association_type: arc.associationType,
      order_value: arc.orderValue,
      arcrole: arc.arcrole,
      weight: arc.weight,
    })),
    rules: [],
    verification_results: [],
    element_count: elements.length,
    structure_count: structures.length,
    association_count: arcs.length,
  };
}

async function readStructures(tx: Transaction, chartId: string): Promise<readonly StoredStructure[]> {
  const graphId = graphOf(tx);
  const rows = await tx.query(sql<StructureRow>`select s.id, s.taxonomy_id, s.name, s.description, s.block_type,
      s.concept_arrangement, s.role_uri, s.metadata
    from taxonomy_structure s
    where s.graph_id = ${graphId} and (s.taxonomy_id = ${chartId} or s.taxonomy_id in (select m.id
      from taxonomy_taxonomy m
      where m.graph_id = ${graphId} and m.taxonomy_type = 'mapping' and m.source_taxonomy_id = ${chartId}))
    order by s.name, s.id limit ${atoms_max}`);
  return rows.map((row) => ({
    id: row.id,
    taxonomyId: row.taxonomy_id,
    name: row.name,
    blockType: row.block_type,
    conceptArrangement: row.concept_arrangement,
    description: row.description,
    roleUri: row.role_uri,
    metadata: row.metadata,
  }));
}

interface StructureRow {
  readonly id: string;
  readonly taxonomy_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly block_type: string;
  readonly concept_arrangement: string | null;
  readonly role_uri: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface ElementRow {
  readonly id: string;
  readonly qname: string | null;
  readonly name: string;
  readonly code: string | null;
  readonly description: string | null;
  readonly trait: string | null;
  readonly balance_type: string | null;
  readonly period_type: string;
  readonly element_type: string;
  readonly is_monetary: boolean;
  readonly is_active: boolean;
  readonly sub_classification: string | null;
  readonly depth: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly parent_qname: string | null;
}

interface ArcRow {
  readonly id: string;
  readonly structure_id: string;
  readonly from_element_id: string;
  readonly to_element_id: string;
  readonly from_qname: string | null;
  readonly to_qname: string | null;
  readonly association_type: string;
  readonly order_value: number;
  readonly arcrole: string | null;
  readonly weight: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

function elementOf(row: ElementRow): StoredElement {
  return {
    id: row.id,
    // Synced accounts may have no qname; inside a block they are addressed by their id.
    qname: row.qname ?? row.id,
    name: row.name,
    code: row.code,
    description: row.description,
    trait: row.trait,
    balanceType: row.balance_type,
    periodType: row.period_type,
    elementType: row.element_type,
    isMonetary: row.is_monetary,
    isActive: row.is_active,
    subClassification: row.sub_classification,
    depth: row.depth,
    parentQname: row.parent_qname,
    metadata: row.metadata,
  };
}

function arcOf(row: ArcRow): StoredArc {
  return {
    id: row.id,
    fromId: row.from_element_id,
    structureRef: row.structure_id,
    from: row.from_qname ?? row.from_element_id,
    to: row.to_qname ?? row.to_element_id,
    associationType: row.association_type,
    orderValue: row.order_value,
    arcrole: row.arcrole,
    weight: row.weight,
    metadata: row.metadata,
  };
}
