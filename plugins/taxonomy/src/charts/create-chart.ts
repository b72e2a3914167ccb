import type { Ids, Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import { gaapPrefix, gaapTaxonomyId, type LibraryCatalog } from '../library/index.ts';
import {
  associationTable,
  codeOrder,
  elementTable,
  insertRows,
  type RowValues,
  structureTable,
  taxonomyTable,
} from '../values/index.ts';
import { balanceTypeOfTrait, liquidityOf, periodTypeOfTrait } from '../vocabulary/index.ts';
import type { CreatedChart, NewAccount, NewChart } from './account.ts';

const defaultMappingName = 'CoA to US GAAP Mapping';

/** True when the graph has an active chart (ledger L-19). */
export async function chartExists(tx: Transaction): Promise<boolean> {
  const rows = await tx.query(sql`select 1 from taxonomy_taxonomy
    where graph_id = ${tx.graphId} and taxonomy_type = 'chart_of_accounts' and is_active limit 1`);
  return rows.length > 0;
}

/** Writes a chart with its accounts and mapping, one statement for each kind of row (ledger L-22). */
export async function createChart(
  tx: Transaction,
  chart: NewChart,
  parts: { readonly ids: Ids; readonly library: LibraryCatalog },
): Promise<CreatedChart> {
  const { ids, library } = parts;
  const graphId = tx.graphId;
  const stamp = { graph_id: graphId, created_by: chart.createdBy, created_at: chart.now, updated_at: chart.now };
  const taxonomyId = ids.make('tax');
  const accountIdsByCode = new Map(chart.accounts.map(({ code }) => [code, ids.make('elem')]));
  await insertRows(tx, taxonomyTable, [
    {
      ...stamp,
      id: taxonomyId,
      name: chart.name,
      description: chart.description ?? null,
      taxonomy_type: 'chart_of_accounts',
      standard: 'coa',
      is_locked: false,
      metadata: chart.metadata ?? {},
    },
  ]);
  const depths = depthsOf(chart.accounts);
  await insertRows(
    tx,
    elementTable,
    chart.accounts.map((account) => ({
      ...stamp,
      ...accountValues(account),
      id: accountIdsByCode.get(account.code),
      taxonomy_id: taxonomyId,
      parent_id: accountIdsByCode.get(account.parentCode ?? '') ?? null,
      depth: depths.get(account.code) ?? 0,
    })),
  );
  const created = { taxonomyId, accountIdsByCode };
  if (chart.mapping === undefined) return { ...created, mappingId: null, mappingsCreated: 0, unresolved: [] };

  const mappingId = await createMapping(tx, { stamp, ids, sourceTaxonomyId: taxonomyId, name: chart.mapping.name });
  const { arcs, unresolved } = mappingArcs(chart, { library, ids, stamp, mappingId, accountIdsByCode });
  await insertRows(tx, associationTable, arcs);
  return { ...created, mappingId, mappingsCreated: arcs.length, unresolved };
}

/** Creates the taxonomy and structure of a mapping to US GAAP (taxonomy M-3), and returns the structure id. */
export async function createMapping(
  tx: Transaction,
  args: {
    readonly stamp: RowValues;
    readonly ids: Ids;
    readonly sourceTaxonomyId: string;
    readonly name?: string | undefined;
    readonly description?: string | null;
    readonly metadata?: Readonly<Record<string, unknown>>;
  },
): Promise<string> {
  const [taxonomyId, mappingId] = [args.ids.make('tax'), args.ids.make('struct')];
  const name = args.name ?? defaultMappingName;
  await insertRows(tx, taxonomyTable, [
    {
      ...args.stamp,
      id: taxonomyId,
      name,
      taxonomy_type: 'mapping',
      standard: 'mapping',
      source_taxonomy_id: args.sourceTaxonomyId,
      target_taxonomy_id: gaapTaxonomyId,
      is_locked: false,
      metadata: {},
    },
  ]);
  await insertRows(tx, structureTable, [
    {
      ...args.stamp,
      id: mappingId,
      taxonomy_id: taxonomyId,
      name,
      description: args.description ?? null,
      block_type: 'coa_mapping',
      metadata: args.metadata ?? {},
    },
  ]);
  return mappingId;
}

function accountValues(account: NewAccount): RowValues {
  const subClassification = account.subClassification ?? null;
  return {
    qname: `coa:${account.code}`,
    code: account.code,
    code_order: codeOrder(account.code),
    name: account.name,
    description: account.description ?? null,
    trait: account.trait,
    liquidity: account.liquidity ?? liquidityOf(account.trait, subClassification),
    sub_classification: subClassification,
    balance_type: account.balanceType ?? balanceTypeOfTrait(account.trait),
    period_type: periodTypeOfTrait(account.trait),
    element_type: 'concept',
    item_type: 'monetary',
    is_abstract: false,
    is_monetary: true,
    source: 'native',
    currency: account.currency ?? null,
    metadata: {},
  };
}

function mappingArcs(
  chart: NewChart,
  parts: {
    readonly library: LibraryCatalog;
    readonly ids: Ids;
    readonly stamp: RowValues;
    readonly mappingId: string;
    readonly accountIdsByCode: ReadonlyMap<string, string>;
  },
): { readonly arcs: readonly RowValues[]; readonly unresolved: readonly string[] } {
  const unresolved = new Set<string>();
  const arcs = chart.accounts.flatMap(({ code, concept }, index) => {
    if (concept === undefined || concept === null) return [];
    const qname = concept.includes(':') ? concept : `${gaapPrefix}:${concept}`;
    const target = parts.library.elementByQname(qname);
    if (target === undefined) {
      unresolved.add(qname);
      return [];
    }
    return [
      {
        ...parts.stamp,
        id: parts.ids.make('assoc'),
        structure_id: parts.mappingId,
        from_element_id: parts.accountIdsByCode.get(code),
        to_element_id: target.id,
        association_type: 'mapping',
        order_value: index,
        suggested_by: chart.mapping?.suggestedBy ?? null,
        approved_by: chart.createdBy,
        approved_at: chart.now,
        metadata: {},
      },
    ];
  });
  return { arcs, unresolved: [...unresolved] };
}

function depthsOf(accounts: readonly NewAccount[]): ReadonlyMap<string, number> {
  const parents = new Map(accounts.map(({ code, parentCode }) => [code, parentCode ?? null]));
  const depths = new Map<string, number>();
  for (const { code } of accounts) {
    let depth = 0;
    // The bound also ends a cycle of parents, which templates never have.
    for (let at = parents.get(code) ?? null; at !== null && depth < accounts.length; at = parents.get(at) ?? null)
      depth += 1;
    depths.set(code, depth);
  }
  return depths;
}
