import { ServiceError, type Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import type { TaxonomyAssociation, TaxonomyElement } from '../rows.gen.ts';
import { groupBy } from '../values/index.ts';
import {
  libraryGraphId,
  type StoredArc,
  type StoredBlock,
  type StoredElement,
  type StoredRule,
  type StoredStructure,
  type TaxonomyHead,
  visible,
  visibleInUse,
} from '../vocabulary/index.ts';
import {
  type ArcRow,
  arcColumns,
  arcOf,
  type ElementRow,
  type EndRow,
  elementColumns,
  elementOf,
  endColumns,
  type RuleRow,
  ruleColumns,
  ruleOf,
  type StructureRow,
  structureColumns,
  structureOf,
} from './block-rows.ts';

const maxAtoms = 100_000;

/** Selects the heads of taxonomies `t`. */
function heads(tx: Transaction): RawBuilder<unknown> {
  return sql`select t.id, t.name, t.taxonomy_type, t.version, t.standard, t.namespace_uri, t.is_locked,
      t.source_taxonomy_id, t.parent_taxonomy_id, p.name as parent_taxonomy_name
    from taxonomy_taxonomy t
    left join taxonomy_taxonomy p on p.id = t.parent_taxonomy_id and ${visible(tx, 'p')}`;
}

/** The head of a taxonomy of this graph; with `lock` it does not wait, and fails with `lock-timeout` (T-36). */
export async function readTaxonomyHead(
  tx: Transaction,
  taxonomyId: string,
  options: { readonly lock: boolean },
): Promise<TaxonomyHead | undefined> {
  const rows = await tx.query(sql<TaxonomyHead>`${heads(tx)}
    where t.graph_id = ${tx.graphId} and t.id = ${taxonomyId} ${options.lock ? sql`for update of t nowait` : sql``}`);
  return rows[0];
}

/** The active taxonomies of these types that the graph sees, its own first, then by type and name (T-45). */
export async function listTaxonomyHeads(
  tx: Transaction,
  filter: {
    readonly types: readonly string[];
    readonly hiddenIds: readonly string[];
    readonly id?: string;
    readonly parentTaxonomyId?: string;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<readonly TaxonomyHead[]> {
  const conditions = [visible(tx, 't'), sql`t.is_active`, sql`t.taxonomy_type = any(${filter.types}::text[])`];
  if (filter.hiddenIds.length > 0) conditions.push(sql`t.id <> all(${filter.hiddenIds}::text[])`);
  if (filter.id !== undefined) conditions.push(sql`t.id = ${filter.id}`);
  if (filter.parentTaxonomyId !== undefined) conditions.push(sql`t.parent_taxonomy_id = ${filter.parentTaxonomyId}`);
  return tx.query(sql<TaxonomyHead>`${heads(tx)}
    where ${sql.join(conditions, sql` and `)}
    order by (t.graph_id = ${libraryGraphId}), t.taxonomy_type, t.name, t.id
    limit ${filter.limit} offset ${filter.offset}`);
}

/** Reads a whole block with four statements; a chart with the mappings sourced from it (taxonomy M-4). */
export async function readBlock(tx: Transaction, head: TaxonomyHead): Promise<StoredBlock> {
  const structures = (await readStructures(tx, [head])).get(head.id) ?? [];
  const elements = (await readElements(tx, [head.id])).get(head.id) ?? [];
  const arcs = (await readArcs(tx, new Map([[head.id, structures]]))).get(head.id) ?? [];
  const rules = (await readRules(tx, [head.id])).get(head.id) ?? [];
  const { taxonomy_type, parent_taxonomy_id, namespace_uri } = head;
  return {
    head,
    taxonomyType: taxonomy_type,
    parentTaxonomyId: parent_taxonomy_id,
    namespaceUri: namespace_uri,
    structures,
    elements,
    arcs,
    rules,
  };
}

/** The elements of each taxonomy by code, then name (taxonomy T-30). */
export async function readElements(
  tx: Transaction,
  taxonomyIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredElement[]>> {
  const rows = await tx.query(sql<ElementRow>`select ${elementColumns},
      coalesce(p.qname, e.parent_id) as parent_qname
    from taxonomy_element e
    left join taxonomy_element p on p.id = e.parent_id and ${visible(tx, 'p')}
    where ${visibleInUse(tx, 'e')} and e.taxonomy_id = any(${taxonomyIds}::text[])
    order by e.code_order nulls last, e.name, e.id limit ${maxAtoms + 1}`);
  refuseHalves(rows, 'elements');
  return new Map([...groupBy(rows, (row) => row.taxonomy_id)].map(([id, group]) => [id, group.map(elementOf)]));
}

/** The structures of each block by name; a chart includes those of its mappings (taxonomy M-4). */
export async function readStructures(
  tx: Transaction,
  heads: readonly TaxonomyHead[],
): Promise<ReadonlyMap<string, readonly StoredStructure[]>> {
  const ids = heads.map(({ id }) => id);
  const charts = heads.filter((head) => head.taxonomy_type === 'chart_of_accounts').map(({ id }) => id);
  const rows = await tx.query(sql<StructureRow>`select ${structureColumns},
      case when s.taxonomy_id = any(${ids}::text[]) then s.taxonomy_id else m.source_taxonomy_id end as block_id
    from taxonomy_structure s
    left join taxonomy_taxonomy m on m.graph_id = s.graph_id and m.id = s.taxonomy_id and m.taxonomy_type = 'mapping'
    where ${visible(tx, 's')} and (s.taxonomy_id = any(${ids}::text[])
      or (s.graph_id = ${tx.graphId} and m.source_taxonomy_id = any(${charts}::text[])))
    order by s.name, s.id limit ${maxAtoms + 1}`);
  refuseHalves(rows, 'structures');
  return new Map([...groupBy(rows, (row) => row.block_id)].map(([id, group]) => [id, group.map(structureOf)]));
}

/** The arcs of each block's structures in the order of taxonomy T-16. */
export async function readArcs(
  tx: Transaction,
  structures: ReadonlyMap<string, readonly StoredStructure[]>,
): Promise<ReadonlyMap<string, readonly StoredArc[]>> {
  const blockOf = new Map([...structures].flatMap(([block, list]) => list.map(({ id }) => [id, block] as const)));
  const ids = [...blockOf.keys()];
  const rows = await tx.query(sql<ArcRow>`select ${arcColumns}
    from taxonomy_association a where ${visibleInUse(tx, 'a')} and a.structure_id = any(${ids}::text[]) limit ${maxAtoms + 1}`);
  refuseHalves(rows, 'arcs');
  // Joined here, not in the store: a graph that has just written twenty thousand arcs has no statistics for them, and
  // the plan would compare each arc with each element.
  const ends = await readEnds(tx, [...new Set(rows.flatMap((row) => [row.from_element_id, row.to_element_id]))]);
  const arcs = rows.map((row) => arcOf(row, ends)).sort(byPlace);
  return groupBy(arcs, ({ structureRef }) => blockOf.get(structureRef) ?? '');
}

/** By id; unknown ids are absent. */
async function readEnds(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, EndRow>> {
  const rows = await tx.query(sql<EndRow>`select ${endColumns} from taxonomy_element e
    where ${visible(tx, 'e')} and e.id = any(${ids}::text[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Arcs without an order come last, and ties are broken by immutable fields (taxonomy T-16). */
function byPlace(a: StoredArc, b: StoredArc): number {
  const [left, right] = [a.orderValue ?? Number.POSITIVE_INFINITY, b.orderValue ?? Number.POSITIVE_INFINITY];
  if (left !== right) return left < right ? -1 : 1;
  if (a.to !== b.to) return a.to < b.to ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** The rules of each taxonomy by name. */
export async function readRules(
  tx: Transaction,
  taxonomyIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredRule[]>> {
  const rows = await tx.query(sql<RuleRow>`select ${ruleColumns},
      case r.target_kind when 'element' then coalesce(e.qname, r.target_id) else r.target_id end as target_ref
    from taxonomy_rule r
    left join taxonomy_element e on r.target_kind = 'element' and e.id = r.target_id and ${visible(tx, 'e')}
    where ${visible(tx, 'r')} and r.taxonomy_id = any(${taxonomyIds}::text[])
    order by r.name, r.id limit ${maxAtoms + 1}`);
  refuseHalves(rows, 'rules');
  return new Map([...groupBy(rows, (row) => row.taxonomy_id)].map(([id, group]) => [id, group.map(ruleOf)]));
}

/** A truncated block must not be checked, changed or shown. */
function refuseHalves(rows: readonly unknown[], kind: string): void {
  if (rows.length <= maxAtoms) return;
  const message = `More than ${maxAtoms} ${kind} would be read at once. Request fewer taxonomies, or split this one.`;
  throw new ServiceError('too_large', 'TOO_MANY_ATOMS', message);
}

/** Counts the parts of each kind by block. */
export async function countAtoms(
  tx: Transaction,
  taxonomyIds: readonly string[],
  structures: ReadonlyMap<string, readonly StoredStructure[]>,
): Promise<{ readonly elements: ReadonlyMap<string, number>; readonly arcs: ReadonlyMap<string, number> }> {
  const blockOf = new Map([...structures].flatMap(([block, list]) => list.map(({ id }) => [id, block] as const)));
  const elements = await tx.query(sql<{
    readonly id: NonNullable<TaxonomyElement['taxonomy_id']>;
    readonly total: number;
  }>`select e.taxonomy_id as id, count(*)::int as total
    from taxonomy_element e where ${visibleInUse(tx, 'e')} and e.taxonomy_id = any(${taxonomyIds}::text[]) group by 1`);
  const arcs = await tx.query(sql<{
    readonly id: TaxonomyAssociation['structure_id'];
    readonly total: number;
  }>`select a.structure_id as id, count(*)::int as total
    from taxonomy_association a
    where ${visibleInUse(tx, 'a')} and a.structure_id = any(${[...blockOf.keys()]}::text[]) group by 1`);
  const arcTotals = new Map<string, number>();
  for (const { id, total } of arcs) {
    const block = blockOf.get(id) ?? '';
    arcTotals.set(block, (arcTotals.get(block) ?? 0) + total);
  }
  return { elements: new Map(elements.map(({ id, total }) => [id, total])), arcs: arcTotals };
}
