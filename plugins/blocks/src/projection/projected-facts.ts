import { type RawBuilder, sql, type Transaction } from '@pacioli/core';

/** The rows of facts in the analytical graph, as subqueries that nodes and relationships share. */

export const rowsPerBatch = 5_000;

/** Graphs SC-27: the identifier of a period, of a row `f` of facts. */
const periodId = sql`md5(coalesce(f.period_start::text, 'null') || '_' || f.period_end::text || '_' || f.period_type)`;

/** Graphs SC-28: the identifier of a unit, of a row `f` of facts. */
const unitId = sql`'unit_' || lower(f.unit)`;

/** Selects `fact_id` and `period_id` of all facts, with the columns of their periods. */
export function factPeriods(tx: Transaction): RawBuilder<unknown> {
  return sql`select f.id as fact_id, ${periodId} as period_id, f.period_start, f.period_end, f.period_type
    from blocks_fact f where f.graph_id = ${tx.graphId}`;
}

/** Selects `fact_id`, `unit_id` and `unit` of the facts that have a unit. */
export function factUnits(tx: Transaction): RawBuilder<unknown> {
  return sql`select f.id as fact_id, ${unitId} as unit_id, f.unit
    from blocks_fact f where f.graph_id = ${tx.graphId} and f.unit is not null`;
}

/** Selects `fact_id` and `entity_id` of all facts; for the plugin whose node the entities are. */
export function factEntities(tx: Transaction): RawBuilder<unknown> {
  return sql`select f.id as fact_id, f.entity_id from blocks_fact f where f.graph_id = ${tx.graphId}`;
}

/**
 * Selects `report_id` and `fact_set_id` of the sets that belong to reports; for the plugin whose node the reports are.
 */
export function setsOfReports(tx: Transaction): RawBuilder<unknown> {
  return sql`select s.report_id, s.id as fact_set_id from blocks_fact_set s
    where s.graph_id = ${tx.graphId} and s.report_id is not null`;
}

/** Selects `report_id` and `fact_id` of the facts of reports; for the plugin whose node the reports are. */
export function factsOfReports(tx: Transaction): RawBuilder<unknown> {
  return sql`select s.report_id, f.id as fact_id from blocks_fact_set s
    join blocks_fact f on f.graph_id = s.graph_id and f.fact_set_id = s.id
    where s.graph_id = ${tx.graphId} and s.report_id is not null`;
}
