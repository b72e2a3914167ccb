import { invalidInput, ServiceError, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import { type BlockIssue, inPhaseOrder, issue, issuesText } from '../domain/block.ts';
import type { ProjectedUpdate } from '../domain/project-update.ts';
import type { StoredBlock } from '../domain/stored-block.ts';
import type { ElementGuard, MonthSpan } from '../tokens.ts';
import { graphOf } from './graph-of.ts';

const limits = { elements_max: 5_000, associations_max: 20_000, structures_max: 500 } as const;

/** Only charts are written; shipped taxonomies never are (taxonomy T-4). */
export function refuseOtherTypes(taxonomyType: string): void {
  if (taxonomyType === 'chart_of_accounts') return;
  if (taxonomyType === 'reporting_standard') {
    // Taxonomy T-4.
    throw new ServiceError(
      'disabled',
      'TAXONOMY_SEEDED_ONLY',
      'Library taxonomies are shipped with the product; they cannot be authored.',
    );
  }
  throw invalidInput(
    `Taxonomy blocks of type ${taxonomyType} cannot be written; this deployment writes chart_of_accounts.`,
  );
}

/** A chart has no rules of its own. */
export function refuseRules(rules: readonly unknown[] | undefined): void {
  if (rules === undefined || rules.length === 0) return;
  throw invalidInput('A chart of accounts carries no rules of its own. Leave the list of rules empty.');
}

/** Taxonomy section 2: what one request may carry. */
export function refuseTooMany(
  elements: readonly unknown[] = [],
  associations: readonly unknown[] = [],
  structures: readonly unknown[] = [],
): void {
  const { elements_max, associations_max, structures_max } = limits;
  if (elements.length <= elements_max && associations.length <= associations_max && structures.length <= structures_max)
    return;
  throw invalidInput(
    `too_many_atoms: one request takes at most ${elements_max} elements, ${associations_max} associations ` +
      `and ${structures_max} structures. Send several.`,
  );
}

/** Throws one 422 with all issues (taxonomy T-23). */
export function refuseIssues(issues: readonly BlockIssue[]): void {
  if (issues.length > 0) throw invalidInput(issuesText(issues), { errors: inPhaseOrder(issues) });
}

/** What the owners of lines and facts, and the other taxonomies, have against an update (taxonomy T-31, T-40). */
export async function guardIssues(
  tx: Transaction,
  stored: StoredBlock,
  update: ProjectedUpdate,
  guards: readonly ElementGuard[],
): Promise<readonly BlockIssue[]> {
  const phase = 'delta_validation';
  const removed = update.removedElements.map(({ id }) => id);
  const qnames = new Map(stored.elements.map(({ id, qname }) => [id, qname]));
  const used = new Set((await Promise.all(guards.map((guard) => guard.used(tx, removed)))).flat());
  const months = await closedMonthsOf(tx, disturbedElements(stored, update), guards);
  return [
    ...[...used].map((id) =>
      issue(
        phase,
        'element_has_line_items',
        `${qnames.get(id)} has journal lines or facts: retire it with is_active false.`,
      ),
    ),
    ...(await outsideArcs(tx, stored, removed)).map((id) =>
      issue(phase, 'element_has_cross_taxonomy_mappings', `${qnames.get(id)} is used by another taxonomy.`),
    ),
    ...(months === undefined ? [] : [issue(phase, 'protected_facts', historyMessage(months))]),
  ];
}

/** The closed months that a change of the accounts would disturb, over all guards. */
export async function closedMonthsOf(
  tx: Transaction,
  elementIds: readonly string[],
  guards: readonly ElementGuard[],
): Promise<MonthSpan | undefined> {
  if (elementIds.length === 0) return undefined;
  for (const guard of guards) {
    const months = await guard.closedMonths(tx, elementIds);
    if (months !== undefined) return months;
  }
  return undefined;
}

/** Taxonomy T-40: how many months are protected and how to get at them. */
export function historyMessage({ count, first, last }: MonthSpan): string {
  const span = first === last ? first : `${first}–${last}`;
  return `This would change ${count} closed month(s), ${span}. Reopen the latest first, down to ${first}.`;
}

/** Accounts whose mapping arcs come or go, or whose classification changes. */
function disturbedElements(stored: StoredBlock, update: ProjectedUpdate): readonly string[] {
  const ids = new Map(stored.elements.map(({ qname, id }) => [qname, id]));
  const added = update.after.arcs.filter((arc) => arc.id === null && arc.associationType === 'mapping');
  return [
    ...update.removedArcs.filter((arc) => arc.associationType === 'mapping').map(({ fromId }) => fromId),
    ...added.flatMap(({ from }) => ids.get(from) ?? []),
    ...update.reclassified.map(({ id }) => id),
  ];
}

async function outsideArcs(
  tx: Transaction,
  stored: StoredBlock,
  removed: readonly string[],
): Promise<readonly string[]> {
  if (removed.length === 0) return [];
  const inside = stored.structures.map(({ id }) => id);
  const rows = await tx.query(sql<{ id: string }>`select distinct e.id
    from unnest(${removed}::text[]) as e(id)
    join taxonomy_association a on a.graph_id = ${graphOf(tx)} and (a.from_element_id = e.id or a.to_element_id = e.id)
      and not (a.structure_id = any(${inside}::text[]))`);
  return rows.map(({ id }) => id);
}
