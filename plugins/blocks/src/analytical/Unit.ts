import { defineNode, sql } from '@pacioli/core';
import { factUnits, rowsPerBatch } from '../projection/index.ts';
import type { BlocksFact } from '../rows.gen.ts';

/** The distinct units of facts: currencies, shares, ratios, days (graphs SC-28, reporting F-4). */
export const Unit = defineNode('Unit', {
  summary: 'A unit of facts; `value` is its code, such as USD, and `measure` its name in XBRL.',
  properties: {
    uri: 'STRING',
    measure: 'STRING',
    value: 'STRING',
    numerator_uri: 'STRING',
    denominator_uri: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<UnitRow>`
        SELECT u.unit_id AS identifier, NULL::text AS uri,
          CASE WHEN min(u.unit) ~ '^[A-Z]{3}$' THEN 'iso4217:' || min(u.unit)
            WHEN u.unit_id IN ('unit_pure', 'unit_shares') THEN 'xbrli:' || min(u.unit) ELSE min(u.unit) END AS measure,
          min(u.unit) AS value, NULL::text AS numerator_uri, NULL::text AS denominator_uri
        FROM (${factUnits(tx)}) AS u GROUP BY u.unit_id ORDER BY u.unit_id`,
      rowsPerBatch,
    ),
});

interface UnitRow {
  readonly identifier: string;
  readonly uri: string | null;
  readonly measure: string;
  readonly value: NonNullable<BlocksFact['unit']>;
  readonly numerator_uri: string | null;
  readonly denominator_uri: string | null;
}
