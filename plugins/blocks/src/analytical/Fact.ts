import { defineNode, sql } from '@pacioli/core';
import { rowsPerBatch } from '../projection/index.ts';
import type { BlocksFact, BlocksFactSet } from '../rows.gen.ts';

/**
 * All facts, of reports, schedules, metrics and texts (graphs SC-29). `value` is the exact number or the text, and
 * `numeric_value` the nearest double in currency units (graphs SC-2). A scenario is no dimension here: facts of a plan
 * have its id in `scenario_id`, and those of the actuals null (reporting F-15).
 */
export const Fact = defineNode('Fact', {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  summary: 'A reported value: a number in currency units, days or plain numbers, or a text.',
  properties: {
    uri: 'STRING',
    value: 'STRING',
    numeric_value: 'DOUBLE',
    fact_type: 'STRING',
    decimals: 'STRING',
    value_type: 'STRING',
    content_type: 'STRING',
    has_dimensions: 'BOOLEAN',
    dimension_count: 'INT64',
    scenario_id: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<FactRow>`
        SELECT f.id AS identifier, NULL::text AS uri, COALESCE(trim_scale(f.value)::text, f.text_value) AS value,
          f.value::float8 AS numeric_value, f.fact_type, f.decimals, 'inline' AS value_type, f.content_type,
          COALESCE(d.members, 0) > 0 AS has_dimensions, COALESCE(d.members, 0) AS dimension_count, s.scenario_id
        FROM blocks_fact f
        JOIN blocks_fact_set s ON s.graph_id = f.graph_id AND s.id = f.fact_set_id
        LEFT JOIN (
          SELECT l.fact_id, count(*)::int AS members FROM blocks_fact_dimension l
          JOIN blocks_dimension m ON m.graph_id = l.graph_id AND m.id = l.dimension_id
          WHERE l.graph_id = ${tx.graphId} AND m.dimension_type <> 'scenario' GROUP BY l.fact_id
        ) AS d ON d.fact_id = f.id
        WHERE f.graph_id = ${tx.graphId} ORDER BY f.id`,
      rowsPerBatch,
    ),
});

type FactRow = Pick<BlocksFact, 'fact_type' | 'decimals' | 'content_type'> &
  Pick<BlocksFactSet, 'scenario_id'> & {
    readonly identifier: BlocksFact['id'];
    readonly uri: string | null;
    readonly value: string | null;
    readonly numeric_value: number | null;
    readonly value_type: string;
    readonly has_dimensions: boolean;
    readonly dimension_count: number;
  };
