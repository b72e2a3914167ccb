import { sql, type Transaction } from '@pacioli/core';
import type { BlockAtoms, BlockDependant, ProtectedSets } from '@pacioli/taxonomy';
import { graphOf } from './graph-of.ts';

const results_shown_max = 1_000;

/** Tells the taxonomy what stands on its atoms, and lets go of it with them (taxonomy T-31, T-37 to T-40). */
export const blockDependant: Omit<BlockDependant, 'key'> = {
  elementsWithFacts: async (tx, elementIds) => {
    const rows = await tx.query(sql<{ element_id: string }>`
      select id as element_id from unnest(${[...elementIds]}::text[]) as id
      where exists (select from blocks_fact f where f.graph_id = ${graphOf(tx)} and f.element_id = id)`);
    return rows.map((row) => row.element_id);
  },
  countFacts: async (tx, atoms) => {
    const [row] = await tx.query(sql<{ facts: number }>`
      select count(*)::int as facts from blocks_fact_set s, blocks_fact f where ${standingOn(tx, atoms)}`);
    return row?.facts ?? 0;
  },
  protectedSets,
  removeFacts: async (tx, atoms) => {
    const [row] = await tx.query(sql<{ removed: number }>`
      with gone as (delete from blocks_fact f using blocks_fact_set s where ${standingOn(tx, atoms)} returning 1)
      select count(*)::int as removed from gone`);
    await tx.query(sql`delete from blocks_fact_set
      where graph_id = ${graphOf(tx)} and structure_id = any(${[...atoms.structureIds]}::text[])`);
    await tx.query(sql`delete from blocks_verification_result
      where graph_id = ${graphOf(tx)} and structure_id = any(${[...atoms.structureIds]}::text[])`);
    await tx.query(sql`delete from blocks_rule where graph_id = ${graphOf(tx)}
      and target_id = any(${[...atoms.structureIds, ...atoms.elementIds]}::text[])`);
    return row?.removed ?? 0;
  },
  removeResults: async (tx, ruleIds) => {
    await tx.query(sql`delete from blocks_verification_result
      where graph_id = ${graphOf(tx)} and rule_id = any(${[...ruleIds]}::text[])`);
  },
  results: (tx, ruleIds) =>
    tx.query(sql<Readonly<Record<string, unknown>>>`select id, rule_id, structure_id, fact_set_id, status, message,
        period_start, period_end, evaluated_at
      from blocks_verification_result where graph_id = ${graphOf(tx)} and rule_id = any(${[...ruleIds]}::text[])
      order by evaluated_at desc, id desc limit ${results_shown_max}`),
};

/** The statements of closed months that would lose facts: canonical sets exist while their month is closed (T-40 b). */
async function protectedSets(tx: Transaction, atoms: BlockAtoms): Promise<ProtectedSets | undefined> {
  const [row] = await tx.query(sql<{ count: number; first: string | null; last: string | null }>`
    select count(distinct s.period_end)::int as count, to_char(min(s.period_end), 'YYYY-MM') as first,
      to_char(max(s.period_end), 'YYYY-MM') as last
    from blocks_fact_set s, blocks_fact f
    where ${standingOn(tx, atoms)} and s.factset_type = 'report' and s.report_id is null and s.scenario_id is null`);
  return row?.first == null || row.last === null ? undefined : { count: row.count, first: row.first, last: row.last };
}

function standingOn(tx: Transaction, { elementIds, structureIds }: BlockAtoms) {
  return sql`s.graph_id = ${graphOf(tx)} and f.graph_id = s.graph_id and f.fact_set_id = s.id
    and (f.element_id = any(${[...elementIds]}::text[]) or s.structure_id = any(${[...structureIds]}::text[]))`;
}
