import { columnsOf, type RawBuilder, type RowOf, sql, type Transaction } from '@pacioli/core';
import { newestFirst, refuseTooMany } from '../facts/index.ts';
import type { BoundFact } from '../models/rules.ts';
import type { BlocksFact, BlocksFactSet } from '../rows.gen.ts';

const maxNumbersRead = 50_000;

const setColumns = columnsOf<BlocksFactSet>('s')({
  factSetId: 'id',
  structureId: 'structure_id',
  entityId: 'entity_id',
  scenarioId: 'scenario_id',
});

/** A number that rules can bind, with the set that contains it. */
export interface RuleNumber extends BoundFact, RowOf<typeof setColumns> {}

/** The window that facts must fall into. */
export interface NumberWindow {
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
}

/** The in-scope facts of the chosen sets within the window. */
export function numbersOfSets(
  tx: Transaction,
  factSetIds: readonly string[],
  { periodStart, periodEnd }: NumberWindow,
): Promise<readonly RuleNumber[]> {
  const conditions = [sql`s.id = any(${[...factSetIds]}::text[])`, sql`f.fact_scope = 'in_scope'`];
  if (periodEnd !== null) conditions.push(sql`f.period_end <= ${periodEnd}::date`);
  if (periodStart !== null) conditions.push(sql`coalesce(f.period_start, f.period_end) >= ${periodStart}::date`);
  return readNumbers(tx, sql.join(conditions, sql` and `));
}

/** Every actual movement of the elements in the structures, including historical ones. */
export function historyOf(
  tx: Transaction,
  structureIds: readonly string[],
  elementIds: readonly string[],
): Promise<readonly RuleNumber[]> {
  return readNumbers(
    tx,
    sql`s.structure_id = any(${[...structureIds]}::text[]) and s.scenario_id is null
      and f.element_id = any(${[...elementIds]}::text[]) and f.period_type = 'duration'`,
  );
}

/** Balances of the elements on the dates in any set of the structures, newest set first. */
export function balancesAt(
  tx: Transaction,
  structureIds: readonly string[],
  elementIds: readonly string[],
  dates: readonly string[],
): Promise<readonly RuleNumber[]> {
  return readNumbers(
    tx,
    sql`s.structure_id = any(${[...structureIds]}::text[]) and f.element_id = any(${[...elementIds]}::text[])
      and f.period_type = 'instant' and f.period_end = any(${[...dates]}::date[]) and f.fact_scope = 'in_scope'`,
  );
}

/** The numbers of the structures in the given scenarios (pattern Variance). */
export function plansOf(
  tx: Transaction,
  structureIds: readonly string[],
  scenarioIds: readonly string[],
): Promise<readonly RuleNumber[]> {
  return readNumbers(
    tx,
    sql`s.structure_id = any(${[...structureIds]}::text[]) and s.scenario_id = any(${[...scenarioIds]}::text[])
      and f.fact_scope = 'in_scope'`,
  );
}

/** A set of another structure in the same report or in the same month of the books. */
export interface SiblingSet {
  readonly factSetId: BlocksFactSet['id'];
  readonly siblingId: BlocksFactSet['id'];
  readonly structureId: NonNullable<BlocksFactSet['structure_id']>;
}

/** The siblings of the given sets, including the sets themselves. */
export function siblingSets(tx: Transaction, factSetIds: readonly string[]): Promise<readonly SiblingSet[]> {
  return tx.query(sql<SiblingSet>`select s.id as "factSetId", o.id as "siblingId", o.structure_id as "structureId"
    from blocks_fact_set s join blocks_fact_set o on o.graph_id = s.graph_id and o.entity_id = s.entity_id
      and o.scenario_id is not distinct from s.scenario_id and o.report_id is not distinct from s.report_id
      and (s.report_id is not null
        or (o.period_start is not distinct from s.period_start and o.period_end = s.period_end))
    where s.graph_id = ${tx.graphId} and s.id = any(${[...factSetIds]}::text[]) and o.structure_id is not null
    order by s.id, o.created_at desc, o.id desc`);
}

const numberColumns = columnsOf<BlocksFact>('f')({
  elementId: 'element_id',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  periodType: 'period_type',
  decimals: 'decimals',
});

type NumberRow = RowOf<typeof setColumns> &
  RowOf<typeof numberColumns> & {
    readonly value: NonNullable<BlocksFact['value']>;
    readonly directAmount: string | null;
  };

async function readNumbers(tx: Transaction, condition: RawBuilder<unknown>): Promise<readonly RuleNumber[]> {
  // Facts with axis members are parts of a total, and facts of other entities do not belong to it.
  const rows = await tx.query(sql<NumberRow>`select ${setColumns}, ${numberColumns},
      trim_scale(f.value)::text as value, f.provenance ->> 'direct_amount' as "directAmount"
    from blocks_fact_set s join blocks_fact f on f.graph_id = s.graph_id and f.fact_set_id = s.id
    where s.graph_id = ${tx.graphId} and f.fact_type = 'Numeric' and f.value is not null and f.dimension_key = ''
      and f.entity_id = s.entity_id and ${condition}
    order by ${newestFirst}, f.unit, f.id
    limit ${maxNumbersRead + 1}`);
  refuseTooMany(rows.length);
  return rows;
}
