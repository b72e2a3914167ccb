import type { FactStore, NewFact, StoredFact, StoredFactSet } from '@pacioli/blocks';
import type { Transaction } from '@pacioli/core';
import type { Window } from '../statements/index.ts';

/** The texts bound to a structure, as a report copies them. */
export interface TextSnapshot {
  readonly facts: readonly NewFact[];
  /** The provenance of the standing set: its document. */
  readonly provenance: StoredFactSet['provenance'];
}

/**
 * The newest texts of each structure among the standing sets inside the window, by structure id (S-23). Two statements,
 * and one if there are none.
 */
export async function readTexts(
  tx: Transaction,
  facts: FactStore,
  subject: { readonly structureIds: readonly string[]; readonly entityId: string; readonly window: Window },
): Promise<ReadonlyMap<string, TextSnapshot>> {
  const { structureIds, entityId, window } = subject;
  const sets = await facts.sets(tx, {
    scenario: 'actuals',
    structureIds,
    factsetTypes: ['disclosure'],
    reportId: null,
    entityId,
  });
  const newest = new Map<string, StoredFactSet>();
  for (const set of sets) {
    const isInside = set.periodEnd <= window.end && (set.periodStart ?? set.periodEnd) >= window.start;
    const structureId = set.structureId ?? '';
    if (isInside && !newest.has(structureId)) newest.set(structureId, set);
  }
  if (newest.size === 0) return new Map();
  const factSetIds = [...newest.values()].map(({ id }) => id);
  const stored = await facts.facts(tx, { scenario: 'actuals', factSetIds });
  return new Map(
    [...newest].map(([structureId, set]) => [
      structureId,
      {
        facts: stored.filter(({ factSetId }) => factSetId === set.id).map(copyOf),
        provenance: set.provenance,
      },
    ]),
  );
}

function copyOf(fact: StoredFact): NewFact {
  const { elementId, periodStart, periodEnd, periodType, value, unit, decimals, textValue, contentType } = fact;
  const text = textValue === null ? {} : { text: { value: textValue, contentType: contentType ?? 'text/markdown' } };
  return { elementId, periodStart, periodEnd, periodType, value, unit, decimals, ...text, provenance: fact.provenance };
}
