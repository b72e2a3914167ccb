import { invalidInput, ServiceError, StoreError, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import { chartLockKey } from '../charts/index.ts';
import type { UpdateBlockRequest } from '../models/taxonomy-block-requests.ts';
import type { TaxonomyElement } from '../rows.gen.ts';
import {
  type BlockIssue,
  inPhaseOrder,
  issue,
  issuesText,
  type StoredBlock,
  taxonomyType,
} from '../vocabulary/index.ts';
import type { BlockDependant, ElementGuard, MonthSpan, ProtectedSets } from './dependants.ts';
import { type ProjectedUpdate, refsTo } from './project-update.ts';

const limits = { maxElements: 5_000, maxAssociations: 20_000, maxStructures: 500, maxRules: 1_000 } as const;

/** Shipped taxonomies cannot be written (taxonomy T-4). */
export function refuseShipped(type: string): void {
  if (type !== 'reporting_standard') return;
  const message = 'Library taxonomies are shipped with the product; they are seeded and cannot be authored.';
  throw new ServiceError('disabled', 'TAXONOMY_SEEDED_ONLY', message);
}

/** Rejects taxonomy types that the deployment has disabled (taxonomy T-5). */
export function refuseGated(type: string, isAuthoringEnabled: boolean): void {
  if (isAuthoringEnabled || taxonomyType(type)?.isGated !== true) return;
  const message = `Authoring of ${type} taxonomies is disabled in this deployment; ask its operator to enable it.`;
  throw new ServiceError('forbidden', 'TAXONOMY_AUTHORING_DISABLED', message);
}

/** Rejects requests above the limits of taxonomy section 2. */
export function refuseTooMany(atoms: {
  readonly elements?: readonly unknown[] | undefined;
  readonly associations?: readonly unknown[] | undefined;
  readonly structures?: readonly unknown[] | undefined;
  readonly rules?: readonly unknown[] | undefined;
}): void {
  const isWithin = (list: readonly unknown[] | undefined, maxRows: number) => (list?.length ?? 0) <= maxRows;
  const { maxElements, maxAssociations, maxStructures, maxRules } = limits;
  if (
    isWithin(atoms.elements, maxElements) &&
    isWithin(atoms.associations, maxAssociations) &&
    isWithin(atoms.structures, maxStructures) &&
    isWithin(atoms.rules, maxRules)
  ) {
    return;
  }
  throw invalidInput(
    `too_many_atoms: one request may contain at most ${maxElements} elements, ${maxAssociations} associations, ` +
      `${maxStructures} structures and ${maxRules} rules. Split the request.`,
  );
}

/** Throws one 422 with all issues (taxonomy T-23). */
export function refuseIssues(issues: readonly BlockIssue[]): void {
  if (issues.length === 0) return;
  throw new ServiceError('invalid_input', 'INVALID_INPUT', issuesText(issues), {
    fields: { errors: inPhaseOrder(issues) },
  });
}

/**
 * Finds the objections of the owners of lines and facts, and of other taxonomies, to an update (taxonomy T-31, T-40).
 */
export async function guardIssues(
  tx: Transaction,
  stored: StoredBlock,
  update: ProjectedUpdate,
  parts: { readonly guards: readonly ElementGuard[]; readonly dependants: readonly BlockDependant[] },
): Promise<readonly BlockIssue[]> {
  const phase = 'delta_validation';
  const removed = update.removedElements.map(({ id }) => id);
  const structureIds = update.removedStructures.map(({ id }) => id);
  const qnames = new Map(stored.elements.map(({ id, qname }) => [id, qname]));
  const named = (ids: Iterable<string>, code: string, reason: string) =>
    [...new Set(ids)].map((id) => issue(phase, code, `${qnames.get(id)} ${reason}`, { id }));
  if (removed.length > 0 || structureIds.length > 0) await lockHistory(tx, parts.guards);
  const lines = await Promise.all(parts.guards.map((guard) => guard.used(tx, removed)));
  const facts = await Promise.all(parts.dependants.map((dependant) => dependant.elementsWithFacts(tx, removed)));
  const months = await closedMonthsOf(tx, disturbedElements(stored, update), parts.guards);
  const sets = await protectedSetsOf(tx, { elementIds: removed, structureIds }, parts.dependants);
  const reclassified = update.reclassified.map(({ id }) => id);
  const closed = reclassified.length === 0 ? [] : parts.dependants.map((each) => each.closedSets?.(tx, reclassified));
  return [
    ...(await structureIssues(tx, structureIds, parts)),
    ...named(facts.flat(), 'element_has_facts', 'has facts: retire it with is_active false.'),
    ...named(lines.flat(), 'element_has_line_items', 'has journal lines: retire it with is_active false.'),
    ...named(
      await outsideUses(
        tx,
        removed,
        stored.structures.map(({ id }) => id),
      ),
      'element_has_cross_taxonomy_mappings',
      'is used by another taxonomy.',
    ),
    ...(months === undefined ? [] : [issue(phase, 'protected_facts', historyMessage(months))]),
    ...[sets, ...(await Promise.all(closed))].flatMap((found) =>
      found === undefined ? [] : [issue(phase, 'protected_facts', protectedMessage(found))],
    ),
  ];
}

/**
 * Locks the chart exclusively before the check whether elements to delete are used: earlier writers of lines finish
 * first, and later ones find the elements deleted.
 */
export async function lockElementsToDelete(tx: Transaction, elementIds: readonly string[]): Promise<void> {
  if (elementIds.length === 0) return;
  try {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${chartLockKey(tx.graphId)}, 0))`);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'lock-timeout') throw error;
    const message = 'An element to be removed is being used by another request. Try again.';
    throw new ServiceError('conflict', 'TAXONOMY_BUSY', message, { cause: error });
  }
}

/**
 * Rejects changes of a structure that a plugin keeps, which only its block may make; its removal is rejected with the
 * other uses.
 */
export function blockStructureIssues(
  request: UpdateBlockRequest,
  stored: StoredBlock,
  update: ProjectedUpdate,
  kept: ReadonlySet<string>,
): readonly BlockIssue[] {
  const removed = new Set(update.removedStructures.map(({ id }) => id));
  const refs = refsTo(update.after, kept);
  const structureOfArc = new Map(stored.arcs.map(({ id, structureRef }) => [id, structureRef]));
  const named = new Set(request.rules_to_remove);
  const targets = stored.rules.filter(({ id }) => named.has(id)).flatMap((rule) => rule.targets);
  const touched = [
    ...(request.structures_to_update ?? []).map(({ structure_id }) => structure_id),
    ...update.removedArcs.map(({ structureRef }) => structureRef),
    ...(request.associations_to_add ?? []).flatMap(({ structure_ref }) => refs.get(structure_ref) ?? []),
    ...(request.rules_to_add ?? []).flatMap(({ target_structure_ref: ref }) => refs.get(ref ?? '') ?? []),
    ...targets.map(({ kind, ref }) => (kind === 'association' ? (structureOfArc.get(ref) ?? '') : ref)),
  ];
  return [...new Set(touched)]
    .filter((id) => kept.has(id) && !removed.has(id))
    .map((id) => {
      const message = `The structure ${id} is a live block: change it with update-information-block.`;
      return issue('delta_validation', 'structure_in_use', message, { id });
    });
}

/** Prevents months from closing between the check of their facts and the end of the change (taxonomy T-40). */
export async function lockHistory(tx: Transaction, guards: readonly ElementGuard[]): Promise<void> {
  for (const guard of guards) await guard.lockHistory?.(tx);
}

/** Rejects removing a structure that has a live block or facts. */
async function structureIssues(
  tx: Transaction,
  structureIds: readonly string[],
  parts: { readonly guards: readonly ElementGuard[]; readonly dependants: readonly BlockDependant[] },
): Promise<readonly BlockIssue[]> {
  if (structureIds.length === 0) return [];
  const phase = 'delta_validation';
  const used = await usedStructuresOf(tx, structureIds, parts.guards);
  const atoms = { elementIds: [], structureIds };
  const counts = await Promise.all(parts.dependants.map((dependant) => dependant.countFacts(tx, atoms)));
  const facts = counts.reduce((sum, count) => sum + count, 0);
  const advice = 'Delete their blocks with delete-information-block, or the taxonomy with cascade_facts true.';
  return [
    ...used.map((id) => issue(phase, 'structure_in_use', structureInUse(id), { id })),
    ...(facts === 0
      ? []
      : [issue(phase, 'structure_has_facts', `${facts} fact(s) use the structures to remove. ${advice}`)]),
  ];
}

/** The structures with a live block of another owner, over all guards. */
export async function usedStructuresOf(
  tx: Transaction,
  structureIds: readonly string[],
  guards: readonly ElementGuard[],
): Promise<readonly string[]> {
  if (structureIds.length === 0) return [];
  const used = await Promise.all(guards.map((guard) => guard.usedStructures?.(tx, structureIds) ?? []));
  return [...new Set(used.flat())].sort();
}

/** The error message for a structure that its owner still uses. */
export function structureInUse(id: string): string {
  return `The structure ${id} is a live block: delete it with delete-information-block.`;
}

/** The closed months that a change of the accounts would affect, over all guards. */
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

/** The protected sets of facts that the deletion would remove, over all owners of facts. */
export async function protectedSetsOf(
  tx: Transaction,
  atoms: { readonly elementIds: readonly string[]; readonly structureIds: readonly string[] },
  dependants: readonly BlockDependant[],
): Promise<ProtectedSets | undefined> {
  if (atoms.elementIds.length === 0 && atoms.structureIds.length === 0) return undefined;
  for (const dependant of dependants) {
    const sets = await dependant.protectedSets(tx, atoms);
    if (sets !== undefined) return sets;
  }
  return undefined;
}

/** The error message with the number of protected months and how to reopen them (taxonomy T-40). */
export function historyMessage(months: MonthSpan): string {
  return `This would change ${months.count} closed month(s), ${spanOf(months)}. ${reopenFrom(months)}`;
}

/** The error message with the number of protected sets of facts and the possible remedies (taxonomy T-40). */
export function protectedMessage(sets: ProtectedSets): string {
  const what = `This would change ${sets.count} protected fact set(s), ${spanOf(sets)}.`;
  return sets.isFiled === true
    ? `${what} A report that is filed or archived contains them, so they cannot be changed.`
    : `${what} ${reopenFrom(sets)}`;
}

function spanOf({ first, last }: MonthSpan): string {
  return first === last ? first : `${first}–${last}`;
}

function reopenFrom({ first }: MonthSpan): string {
  return `Reopen the latest closed month first, down to ${first}.`;
}

/** Accounts whose mapping arcs or classification change. */
function disturbedElements(stored: StoredBlock, update: ProjectedUpdate): readonly string[] {
  const ids = new Map(stored.elements.map(({ qname, id }) => [qname, id]));
  const added = update.after.arcs.filter((arc) => arc.id === null && arc.associationType === 'mapping');
  return [
    ...update.removedArcs.filter((arc) => arc.associationType === 'mapping').map(({ fromId }) => fromId),
    ...added.flatMap(({ from }) => ids.get(from) ?? []),
    ...update.reclassified.map(({ id }) => id),
  ];
}

/** The elements that are used by arcs outside of these structures. */
export async function outsideUses(
  tx: Transaction,
  elementIds: readonly string[],
  structureIds: readonly string[],
): Promise<readonly string[]> {
  if (elementIds.length === 0) return [];
  const outside = sql`a.graph_id = ${tx.graphId} and a.structure_id <> all(${structureIds}::text[])`;
  const rows = await tx.query(sql<Pick<TaxonomyElement, 'id'>>`select e.id from unnest(${elementIds}::text[]) as e (id)
    where exists (select from taxonomy_association a where ${outside} and a.from_element_id = e.id)
      or exists (select from taxonomy_association a where ${outside} and a.to_element_id = e.id)`);
  return rows.map(({ id }) => id);
}
