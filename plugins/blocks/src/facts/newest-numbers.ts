import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { FactSetType, FoundNumber, NumberFilter } from '../models/facts.ts';
import type { BlocksFact, BlocksFactSet } from '../rows.gen.ts';
import { newestFirst } from './fact-sets.ts';
import { refuseTooMany } from './facts.ts';

/** Enough for a thousand formulas over several windows. */
const maxNumbersRead = 10_000;
const remedy = 'Start the period later, or delete reports that end on its last day.';

const numberColumns = columnsOf<BlocksFact>('f')({
  factId: 'id',
  elementId: 'element_id',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  periodType: 'period_type',
  unit: 'unit',
});
const scenarioColumn = columnsOf<BlocksFactSet>('s')({ scenarioId: 'scenario_id' });

type NumberRow = RowOf<typeof numberColumns> &
  RowOf<typeof scenarioColumn> & { readonly value: NonNullable<BlocksFact['value']> };

/**
 * The newest number of each element for each balance date or movement, for actuals and for the scenario (M-5). Numbers
 * in the currency precede all others. A set that ends on the date precedes comparative columns of later sets, which are
 * not updated when the period is closed again.
 */
export async function readNewestNumbers(tx: Transaction, filter: NumberFilter): Promise<readonly FoundNumber[]> {
  const { entityId, factsetTypes, elementIds, endingOn, startingFrom, currency, scenarioId, except } = filter;
  const isOther =
    except === undefined
      ? sql`true`
      : sql`not (s.structure_id is not distinct from ${except.structureId}::text
          and s.period_end = ${except.periodEnd}::date)`;
  const isWithin =
    startingFrom === undefined
      ? sql`true`
      : sql`(f.period_type = 'instant' or f.period_start >= ${startingFrom}::date)`;
  // Facts with axis members are parts of a total, and facts of other entities do not belong to it.
  const rows = await tx.query(sql<NumberRow>`
    select distinct on (f.element_id, f.period_end, s.scenario_id, f.period_type, ${movementStart})
      ${numberColumns}, ${scenarioColumn}, trim_scale(f.value)::text as value
    from blocks_fact f join blocks_fact_set s on s.graph_id = f.graph_id and s.id = f.fact_set_id
    where f.graph_id = ${tx.graphId} and f.element_id = any(${[...elementIds]}::text[])
      and f.period_end = any(${[...endingOn]}::date[]) and f.entity_id = ${entityId} and s.entity_id = ${entityId}
      and f.fact_type = 'Numeric' and f.value is not null and f.dimension_key = '' and f.fact_scope = 'in_scope'
      and s.factset_type = any(${[...factsetTypes]}::text[])
      and (s.scenario_id is null or s.scenario_id = ${scenarioId}::text) and ${isOther} and ${isWithin}
    order by f.element_id, f.period_end, s.scenario_id, f.period_type, ${movementStart},
      f.unit is distinct from ${currency}::text, s.period_end = f.period_end desc, ${newestFirst}, f.unit, f.id
    limit ${maxNumbersRead + 1}`);
  refuseTooMany(rows.length, { maxRows: maxNumbersRead, remedy });
  return rows;
}

/** A balance has one value on its date, whatever column of a report it appears in (F-3). */
const movementStart = sql`case when f.period_type = 'duration' then f.period_start end`;

/** The last date before a given one on which a set of the entity ends; undefined if there is none (M-7). */
export async function findNewestEndBefore(
  tx: Transaction,
  filter: {
    readonly entityId: string;
    readonly factsetTypes: readonly FactSetType[];
    readonly scenarioId: string | null;
    readonly before: string;
  },
): Promise<string | undefined> {
  const [row] = await tx.query(sql<Pick<BlocksFactSet, 'period_end'>>`
    select s.period_end from blocks_fact_set s
    where s.graph_id = ${tx.graphId} and s.entity_id = ${filter.entityId}
      and s.factset_type = any(${[...filter.factsetTypes]}::text[])
      and (s.scenario_id is null or s.scenario_id = ${filter.scenarioId}::text)
      and s.period_end < ${filter.before}::date
    order by s.period_end desc limit 1`);
  return row?.period_end;
}
