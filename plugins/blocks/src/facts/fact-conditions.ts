import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { FactFilter, FactSetFilter, ScenarioChoice } from '../models/facts.ts';

/** Converts a filter to conditions on the rows of `s`. Throws when it would match every set of the graph. */
export function setConditions(tx: Transaction, filter: FactSetFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [];
  if (filter.structureIds !== undefined)
    conditions.push(sql`s.structure_id = any(${[...filter.structureIds]}::text[])`);
  if (filter.factSetIds !== undefined) conditions.push(sql`s.id = any(${[...filter.factSetIds]}::text[])`);
  if (filter.entityId !== undefined) conditions.push(sql`s.entity_id = ${filter.entityId}`);
  if (filter.factsetTypes !== undefined)
    conditions.push(sql`s.factset_type = any(${[...filter.factsetTypes]}::text[])`);
  if (filter.reportId !== undefined) conditions.push(sql`s.report_id is not distinct from ${filter.reportId}::text`);
  if (filter.window !== undefined) {
    conditions.push(sql`s.period_start is not distinct from ${filter.window.start}::date
      and s.period_end = ${filter.window.end}::date`);
  }
  if (conditions.length === 0) throw new Error('A filter of fact sets needs a field other than the scenario.');
  return sql.join([sql`s.graph_id = ${tx.graphId}`, ofScenario(filter.scenario), ...conditions], sql` and `);
}

/** Converts a filter to conditions on the rows of `f` and of their sets `s`. */
export function factConditions(tx: Transaction, filter: FactFilter): RawBuilder<unknown> {
  if (filter.factSetIds === undefined && filter.structureIds === undefined) {
    throw new Error('Name the sets or the structures of the facts.');
  }
  const conditions = [sql`s.graph_id = ${tx.graphId}`, sql`f.graph_id = s.graph_id`, sql`f.fact_set_id = s.id`];
  conditions.push(ofScenario(filter.scenario));
  if (filter.structureIds !== undefined)
    conditions.push(sql`s.structure_id = any(${[...filter.structureIds]}::text[])`);
  if (filter.factSetIds !== undefined) conditions.push(sql`s.id = any(${[...filter.factSetIds]}::text[])`);
  if (filter.elementIds !== undefined) conditions.push(sql`f.element_id = any(${[...filter.elementIds]}::text[])`);
  if (filter.scope !== undefined) conditions.push(sql`f.fact_scope = ${filter.scope}`);
  if (filter.endingFrom !== undefined) conditions.push(sql`f.period_end >= ${filter.endingFrom}::date`);
  if (filter.endingThrough !== undefined) conditions.push(sql`f.period_end <= ${filter.endingThrough}::date`);
  return sql.join(conditions, sql` and `);
}

/** A plan has the structure of the actuals, so every read must choose which of them count (reporting F-11). */
function ofScenario(choice: ScenarioChoice): RawBuilder<unknown> {
  if (choice === 'all') return sql`true`;
  return choice === 'actuals' ? sql`s.scenario_id is null` : sql`s.scenario_id = ${choice.id}`;
}
