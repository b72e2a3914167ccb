import type { Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import {
  type AssociationRow,
  associationColumns,
  type CoverageRow,
  type StructureRow,
  structureColumns,
  type UnmappedRow,
} from '../models/rows.ts';
import type { TaxonomyAssociation, TaxonomyElement, TaxonomyStructure } from '../rows.gen.ts';
import { type BalanceType, type PeriodType, visible } from '../vocabulary/index.ts';
import { isCountableAccount } from './accounts.ts';

const maxArcs = 100_000;

export interface ReportingConcept {
  readonly id: string;
  readonly qname: string | null;
  readonly name: string;
  readonly trait: string | null;
  readonly balanceType: BalanceType;
  readonly periodType: PeriodType;
}

export interface MappedAccount {
  readonly accountId: string;
  readonly concept: ReportingConcept;
}

export interface AccountMapping {
  readonly id: string;
  readonly name: string;
  readonly taxonomyId: string;
  /** One entry per mapped account; an account has at most one concept (taxonomy M-2). */
  readonly arcs: readonly MappedAccount[];
}

/** The reporting concept that each account rolls up into. */
export interface Mappings {
  /** The mapping with its account arcs in one statement; undefined when the id is not a mapping of this graph. */
  concepts(tx: Transaction, mappingId: string): Promise<AccountMapping | undefined>;
  /** The id of the mapping used when none is named (taxonomy M-5); undefined without a chart. */
  bookMappingId(tx: Transaction): Promise<string | undefined>;
}

/** The mapping with the concept of each account, in one statement. */
export async function findMappingConcepts(tx: Transaction, mappingId: string): Promise<AccountMapping | undefined> {
  const graphId = tx.graphId;
  const rows = await tx.query(sql<
    Pick<TaxonomyStructure, 'name' | 'taxonomy_id'> & {
      /** Null, with all that follows, for a mapping without arcs. */
      readonly account_id: TaxonomyAssociation['from_element_id'] | null;
      readonly concept_id: TaxonomyElement['id'];
      readonly qname: TaxonomyElement['qname'];
      readonly concept_name: TaxonomyElement['name'];
      readonly trait: TaxonomyElement['trait'];
      readonly balance_type: NonNullable<TaxonomyElement['balance_type']>;
      readonly period_type: TaxonomyElement['period_type'];
    }
  >`select s.name, s.taxonomy_id, a.from_element_id as account_id, c.id as concept_id, c.qname, c.name as concept_name,
      c.trait, coalesce(c.balance_type, 'debit') as balance_type, c.period_type
    from taxonomy_structure s
    left join (taxonomy_association a join taxonomy_element c
        on c.id = a.to_element_id and ${visible(tx, 'c')})
      on a.graph_id = s.graph_id and a.structure_id = s.id and a.association_type = 'mapping'
    where s.graph_id = ${graphId} and s.id = ${mappingId} and s.block_type = 'coa_mapping' and s.is_active
    order by a.from_element_id limit ${maxArcs}`);
  const [head] = rows;
  if (head === undefined) return undefined;
  return {
    id: mappingId,
    name: head.name,
    taxonomyId: head.taxonomy_id,
    arcs: rows.flatMap((row) =>
      row.account_id === null
        ? []
        : [
            {
              accountId: row.account_id,
              concept: {
                id: row.concept_id,
                qname: row.qname,
                name: row.concept_name,
                trait: row.trait,
                balanceType: row.balance_type,
                periodType: row.period_type,
              },
            },
          ],
    ),
  };
}

/** The mapping of the first chart of the graph (taxonomy M-5). */
export async function findBookMappingId(tx: Transaction): Promise<string | undefined> {
  const graphId = tx.graphId;
  const rows = await tx.query(sql<Pick<TaxonomyStructure, 'id'>>`select s.id from taxonomy_structure s
    join taxonomy_taxonomy m on m.graph_id = s.graph_id and m.id = s.taxonomy_id
    left join taxonomy_taxonomy chart on chart.graph_id = m.graph_id and chart.id = m.source_taxonomy_id
    where s.graph_id = ${graphId} and s.block_type = 'coa_mapping' and s.is_active
    order by chart.created_at nulls last, chart.id, s.created_at, s.id limit 1`);
  return rows[0]?.id;
}

/** The active mappings by name (taxonomy M-7). */
export async function listMappings(tx: Transaction): Promise<readonly StructureRow[]> {
  return tx.query(sql<StructureRow>`select ${structureColumns}
    from taxonomy_structure where graph_id = ${tx.graphId} and block_type = 'coa_mapping' and is_active
    order by name, id limit 1000`);
}

/** One mapping; undefined when the id is not an active mapping of this graph. */
export async function findMapping(tx: Transaction, mappingId: string): Promise<StructureRow | undefined> {
  const rows = await tx.query(sql<StructureRow>`select ${structureColumns}
    from taxonomy_structure
    where graph_id = ${tx.graphId} and id = ${mappingId} and block_type = 'coa_mapping' and is_active`);
  return rows[0];
}

/** The arcs of a structure in the order of taxonomy T-16. */
export async function listAssociations(tx: Transaction, structureId: string): Promise<readonly AssociationRow[]> {
  return tx.query(sql<AssociationRow>`select ${associationColumns}, f.name as from_element_name,
      f.qname as from_element_qname, c.name as to_element_name, c.qname as to_element_qname
    from taxonomy_association a
    left join taxonomy_element f on f.id = a.from_element_id and ${visible(tx, 'f')}
    left join taxonomy_element c on c.id = a.to_element_id and ${visible(tx, 'c')}
    where a.graph_id = ${tx.graphId} and a.structure_id = ${structureId}
    order by a.order_value, c.qname nulls last, a.id limit ${maxArcs}`);
}

/** One arc of a structure; undefined when the arc is not in the structure. */
export async function findAssociation(
  tx: Transaction,
  structureId: string,
  associationId: string,
): Promise<Pick<TaxonomyAssociation, 'from_element_id' | 'association_type'> | undefined> {
  const rows = await tx.query(sql<
    Pick<TaxonomyAssociation, 'from_element_id' | 'association_type'>
  >`select from_element_id, association_type
    from taxonomy_association
    where graph_id = ${tx.graphId} and id = ${associationId} and structure_id = ${structureId}`);
  return rows[0];
}

type ConflictingArc = Pick<TaxonomyAssociation, 'id' | 'to_element_id'>;

/** The arc that conflicts with a new one: the same arc, or for a mapping arc any arc of the account (M-2). */
export async function findConflictingArc(
  tx: Transaction,
  arc: { readonly structureId: string; readonly from: string; readonly to: string; readonly type: string },
): Promise<ConflictingArc | undefined> {
  const rows = await tx.query(sql<ConflictingArc>`select id, to_element_id
    from taxonomy_association where graph_id = ${tx.graphId} and structure_id = ${arc.structureId}
      and from_element_id = ${arc.from} and association_type = ${arc.type}
      and (association_type = 'mapping' or to_element_id = ${arc.to})
    order by (to_element_id = ${arc.to}) desc limit 1`);
  return rows[0];
}

/** Deletes arcs; ids that no longer exist are ignored. */
export async function deleteAssociations(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`delete from taxonomy_association where graph_id = ${tx.graphId} and id = any(${ids}::text[])`);
}

/** Every countable account with its concept in the mapping, if any (taxonomy M-16). */
export async function listCoverage(tx: Transaction, mappingId: string): Promise<readonly CoverageRow[]> {
  const graphId = tx.graphId;
  return tx.query(sql<CoverageRow>`select e.id as account_id, e.qname as account_qname, e.code as account_code,
      e.name as account_name, a.to_element_id as target_id, c.qname as target_qname, c.name as target_name, a.confidence
    from taxonomy_element e
    left join taxonomy_association a on a.graph_id = e.graph_id and a.structure_id = ${mappingId}
      and a.from_element_id = e.id and a.association_type = 'mapping'
    left join taxonomy_element c on c.id = a.to_element_id and ${visible(tx, 'c')}
    where ${isCountableAccount(graphId)} order by e.code_order nulls last, e.name limit ${maxArcs}`);
}

/** Countable accounts without a concept in the mapping, or in any mapping when none is named (taxonomy M-15). */
export async function listUnmapped(
  tx: Transaction,
  mappingId: string | undefined,
  maxRows: number,
): Promise<readonly UnmappedRow[]> {
  const graphId = tx.graphId;
  const inMapping = mappingId === undefined ? sql`` : sql`and a.structure_id = ${mappingId}`;
  return tx.query(sql<UnmappedRow>`select e.id, e.code, e.name, e.trait, e.liquidity, e.sub_classification,
      coalesce(e.balance_type, 'debit') as balance_type, e.external_source, p.id as parent_id, p.name as parent_name,
      p.trait as parent_trait, pa.to_element_id as parent_concept_id
    from taxonomy_element e
    left join taxonomy_element p on p.graph_id = e.graph_id and p.id = e.parent_id
    left join taxonomy_association pa on pa.graph_id = e.graph_id and pa.structure_id = ${mappingId ?? null}
      and pa.from_element_id = p.id and pa.association_type = 'mapping'
    where ${isCountableAccount(graphId)} and not exists (select 1 from taxonomy_association a
      where a.graph_id = e.graph_id and a.from_element_id = e.id and a.association_type = 'mapping' ${inMapping})
    order by e.code_order nulls last, e.name, e.id limit ${maxRows}`);
}

/** The mappings as stored. */
export const storedMappings: Mappings = { concepts: findMappingConcepts, bookMappingId: findBookMappingId };
