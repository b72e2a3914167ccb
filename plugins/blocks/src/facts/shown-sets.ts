import { sql, type Transaction } from '@pacioli/core';
import type { StoredFactSet } from '../models/facts.ts';
import { type FactSetRow, newestFirst, setColumns, setOf } from './fact-sets.ts';

const maxSetsPerStructure = 600;

/** Selects the sets of one structure that a read may show. */
export interface SetSelection {
  readonly structureId: string;
  /** Null for actuals. */
  readonly scenarioIds: readonly (string | null)[];
  /** True for the whole series, false for only the newest set. */
  readonly isWhole: boolean;
}

/** The sets for the envelopes of many structures, in one statement; newest first, canonical first (B-7, F-13). */
export async function readShownSets(
  tx: Transaction,
  wishes: readonly SetSelection[],
  entityId: string | undefined,
): Promise<ReadonlyMap<string, readonly StoredFactSet[]>> {
  const rows = JSON.stringify(
    wishes.map(({ structureId, scenarioIds, isWhole }) => ({
      structure_id: structureId,
      scenario_ids: scenarioIds.flatMap((id) => id ?? []),
      has_actuals: scenarioIds.includes(null),
      sets_max: isWhole ? maxSetsPerStructure : 1,
    })),
  );
  const ofEntity = entityId === undefined ? sql`true` : sql`s.entity_id = ${entityId}`;
  const found = await tx.query(sql<FactSetRow>`
    select v.* from jsonb_to_recordset(${rows}::text::jsonb) as w(structure_id text, scenario_ids jsonb,
      has_actuals boolean, sets_max integer)
    cross join lateral (select ${setColumns} from blocks_fact_set s
      where s.graph_id = ${tx.graphId} and s.structure_id = w.structure_id and ${ofEntity}
        and case when s.scenario_id is null then w.has_actuals else jsonb_exists(w.scenario_ids, s.scenario_id) end
      order by ${newestFirst} limit w.sets_max) v`);
  const sets = new Map<string, StoredFactSet[]>();
  for (const row of found) {
    const id = row.structure_id ?? '';
    sets.set(id, [...(sets.get(id) ?? []), setOf(row)]);
  }
  return sets;
}
