import { defineNode, sql } from '@pacioli/core';
import { rowsPerBatch } from '../projection/index.ts';
import type { BlocksDimension } from '../rows.gen.ts';

/** The axis members of facts, and the scenarios that separate plans from actuals (graphs SC-24, reporting F-15). */
export const Dimension = defineNode('Dimension', {
  summary:
    'A member of an axis. `axis` is the element of the axis, or the kind of one without an element; `member` is the element or the value.',
  properties: {
    axis: 'STRING',
    member: 'STRING',
    dimension_type: 'STRING',
    axis_uri: 'STRING',
    member_uri: 'STRING',
    type: 'STRING',
    is_explicit: 'BOOLEAN',
    is_typed: 'BOOLEAN',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<DimensionRow>`
        SELECT d.id AS identifier, COALESCE(d.axis_element_id, d.dimension_type) AS axis, d.value AS member,
          CASE WHEN d.dimension_type <> 'axis' THEN d.dimension_type WHEN d.axis_element_id IS NULL THEN 'xbrl_typed'
            ELSE 'xbrl_explicit' END AS dimension_type,
          NULL::text AS axis_uri, NULL::text AS member_uri, d.dimension_type AS type,
          d.axis_element_id IS NOT NULL AS is_explicit, d.axis_element_id IS NULL AS is_typed
        FROM blocks_dimension d WHERE d.graph_id = ${tx.graphId} ORDER BY d.id`,
      rowsPerBatch,
    ),
});

interface DimensionRow {
  readonly identifier: BlocksDimension['id'];
  readonly axis: BlocksDimension['dimension_type'];
  readonly member: BlocksDimension['value'];
  readonly dimension_type: BlocksDimension['dimension_type'];
  readonly axis_uri: string | null;
  readonly member_uri: string | null;
  readonly type: BlocksDimension['dimension_type'];
  readonly is_explicit: boolean;
  readonly is_typed: boolean;
}
