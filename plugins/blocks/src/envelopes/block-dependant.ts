import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { BlockAtoms, BlockDependant, ProtectedSets } from '@pacioli/taxonomy';
import { countDeleted } from '../facts/index.ts';
import type { BlocksFact, BlocksFactSet, BlocksVerificationResult } from '../rows.gen.ts';
import type { ReportFilings } from '../tokens.ts';

const maxResultsShown = 1_000;

/**
 * Reports to the taxonomy which facts depend on its atoms, and deletes those facts with them (taxonomy T-31, T-37 to
 * T-40).
 */
export function createBlockDependant(filings: readonly ReportFilings[]): Omit<BlockDependant, 'key'> {
  return {
    ...unprotectedParts,
    // A filed report depends on every one of its facts; a closed month is affected by fewer changes (taxonomy T-40).
    protectedSets: async (tx, atoms) => protectedOf(tx, await setsOn(tx, atoms), filings),
    closedSets: async (tx, elementIds) => protectedOf(tx, await setsOn(tx, { elementIds, structureIds: [] }), []),
  };
}

/** The methods that do not depend on what is filed or closed. */
const unprotectedParts: Omit<BlockDependant, 'key' | 'protectedSets' | 'closedSets'> = {
  elementsWithFacts: async (tx, elementIds) => {
    const rows = await tx.query(sql<Pick<BlocksFact, 'element_id'>>`
      select id as element_id from unnest(${[...elementIds]}::text[]) as id
      where exists (select from blocks_fact f where f.graph_id = ${tx.graphId} and f.element_id = id)`);
    return rows.map((row) => row.element_id);
  },
  countFacts: async (tx, atoms) => {
    const [row] = await tx.query(sql<{ facts: number }>`
      select count(*)::int as facts from blocks_fact f where ${dependsOnAtoms(tx, atoms)}`);
    return row?.facts ?? 0;
  },
  removeFacts: async (tx, atoms) => {
    const removed = await countDeleted(tx, sql`delete from blocks_fact f where ${dependsOnAtoms(tx, atoms)}`);
    await tx.query(sql`delete from blocks_fact_set
      where graph_id = ${tx.graphId} and structure_id = any(${[...atoms.structureIds]}::text[])`);
    await tx.query(sql`delete from blocks_verification_result
      where graph_id = ${tx.graphId} and structure_id = any(${[...atoms.structureIds]}::text[])`);
    await tx.query(sql`delete from blocks_rule where graph_id = ${tx.graphId}
      and target_id = any(${[...atoms.structureIds, ...atoms.elementIds]}::text[])`);
    return removed;
  },
  removeResults: async (tx, ruleIds) => {
    await tx.query(sql`delete from blocks_verification_result
      where graph_id = ${tx.graphId} and rule_id = any(${[...ruleIds]}::text[])`);
  },
  results: (tx, ruleIds) =>
    tx.query(sql<RowOf<typeof resultColumns>>`select ${resultColumns}
      from blocks_verification_result where graph_id = ${tx.graphId} and rule_id = any(${[...ruleIds]}::text[])
      order by evaluated_at desc, id desc limit ${maxResultsShown}`),
};

const resultColumns = columnsOf<BlocksVerificationResult>()(
  'id',
  'rule_id',
  'structure_id',
  'fact_set_id',
  'status',
  'message',
  'period_start',
  'period_end',
  'evaluated_at',
);

interface CountedSets {
  /** Null for the canonical statements of months, which exist as long as their month is closed. */
  readonly report_id: BlocksFactSet['report_id'];
  readonly sets: number;
  /** The months in which the first and the last of the sets end, as `YYYY-MM`. */
  readonly first: string;
  readonly last: string;
}

/** Counts the statements of actuals that use the atoms, by report and for the months themselves. */
async function setsOn(tx: Transaction, { elementIds, structureIds }: BlockAtoms): Promise<readonly CountedSets[]> {
  return tx.query(sql<CountedSets>`
    select s.report_id, count(*)::int as sets, to_char(min(s.period_end), 'YYYY-MM') as first,
      to_char(max(s.period_end), 'YYYY-MM') as last
    from blocks_fact_set s
    where s.graph_id = ${tx.graphId}
      and (s.report_id is not null or (s.factset_type = 'report' and s.scenario_id is null))
      and s.id in (
        select id from blocks_fact_set
        where graph_id = ${tx.graphId} and structure_id = any(${[...structureIds]}::text[])
        union
        select fact_set_id from blocks_fact
        where graph_id = ${tx.graphId} and element_id = any(${[...elementIds]}::text[]))
    group by s.report_id`);
}

async function protectedOf(
  tx: Transaction,
  found: readonly CountedSets[],
  filings: readonly ReportFilings[],
): Promise<ProtectedSets | undefined> {
  const reportIds = found.flatMap(({ report_id }) => report_id ?? []);
  const filed = new Set<string>();
  if (reportIds.length > 0) {
    for (const owner of filings) for (const id of await owner.immutable(tx, reportIds)) filed.add(id);
  }
  const protectedRows = found.filter(({ report_id }) => report_id === null || filed.has(report_id));
  const [first] = protectedRows.map((each) => each.first).sort();
  const last = protectedRows
    .map((each) => each.last)
    .sort()
    .at(-1);
  if (first === undefined || last === undefined) return undefined;
  const count = protectedRows.reduce((sum, { sets }) => sum + sets, 0);
  return { count, first, last, ...(filed.size > 0 ? { isFiled: true } : {}) };
}

/** A condition on the fact `f`: on one of the elements, or in a set of a structure. Each branch has its own index. */
function dependsOnAtoms(tx: Transaction, { elementIds, structureIds }: BlockAtoms) {
  const graphId = tx.graphId;
  return sql`f.graph_id = ${graphId} and f.id in (
    select id from blocks_fact where graph_id = ${graphId} and element_id = any(${[...elementIds]}::text[])
    union
    select held.id from blocks_fact_set s
    join blocks_fact held on held.graph_id = s.graph_id and held.fact_set_id = s.id
    where s.graph_id = ${graphId} and s.structure_id = any(${[...structureIds]}::text[]))`;
}
