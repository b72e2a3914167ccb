import { type Ids, invalidInput, notFound, ServiceError, StoreError } from '@pacioli/core';
import {
  type BlockDependant,
  type BlockWork,
  closedMonthsOf,
  deleteRules,
  type ElementGuard,
  findExtensionConcept,
  findRulesOfArcs,
  findTenantElement,
  historyMessage,
} from '../blocks/index.ts';
import {
  type Account,
  deleteAssociations,
  findAccounts,
  findAssociation,
  findConflictingArc,
  findMapping,
} from '../charts/index.ts';
import { targetProblem } from '../checks/index.ts';
import { arcroleOf, type LibraryCatalog } from '../library/index.ts';
import type { AssociationAnswer, NewMappingAssociation } from '../models/associations.ts';
import { associationTable, insertRows, type RowValues } from '../values/index.ts';

/** Single arcs of a mapping. */
export interface MappingEdits {
  /** Adds one arc after the checks of taxonomy 4.2; approved by the caller by default, by nobody when null. */
  add(work: BlockWork, request: NewMappingAssociation, approvedBy?: string | null): Promise<AssociationAnswer>;
  remove(work: BlockWork, mappingId: string, associationId: string): Promise<void>;
}

export interface MappingEditParts {
  readonly ids: Ids;
  readonly library: LibraryCatalog;
  readonly guards: readonly ElementGuard[];
  readonly dependants: readonly BlockDependant[];
}

/** The arc that statements use, and the finer tag that no statement uses (taxonomy M-1). */
const arcTypesOfMappings: ReadonlySet<string> = new Set(['mapping', 'equivalence']);

/** Adds and removes single arcs of a mapping. */
export function createMappingEdits(parts: MappingEditParts): MappingEdits {
  return {
    add: (work, request, approvedBy = work.userId) => addAssociation(work, request, approvedBy, parts),
    remove: (work, mappingId, associationId) => removeAssociation(work, mappingId, associationId, parts),
  };
}

/** The checks run in the order of the table in taxonomy 4.2. */
async function addAssociation(
  work: BlockWork,
  request: NewMappingAssociation,
  approvedBy: string | null,
  parts: MappingEditParts,
): Promise<AssociationAnswer> {
  const { tx } = work;
  const type = request.association_type ?? 'mapping';
  if (parts.library.structureById(request.mapping_id) !== undefined) throw libraryImmutable();
  const mapping = await findMapping(tx, request.mapping_id);
  if (mapping === undefined) throw notFound('Mapping not found');
  // A mapping has no trees and no sums (taxonomy M-1).
  if (!arcTypesOfMappings.has(type)) {
    const message = `association_type ${type} is not allowed in a mapping. Use mapping, or equivalence for a finer tag.`;
    throw invalidInput(message);
  }
  const source = await sourceAccount(work, request.from_element_id, parts.library);
  const target =
    parts.library.elementById(request.to_element_id) ?? (await findExtensionConcept(tx, request.to_element_id));
  if (target === undefined) throw await targetRefusal(work, request.to_element_id);
  if (type === 'mapping') {
    const problem = targetProblem(target, source.trait, parts.library);
    if (problem !== undefined) throw invalidInput(`${problem.code}: this arc ${problem.message}`);
    if (request.weight !== undefined && request.weight !== null && request.weight !== 1) {
      throw invalidInput('A mapping arc has the weight 1: an account counts in full.');
    }
  }
  const confidence = request.confidence ?? null;
  if (confidence !== null && (confidence < 0 || confidence > 1))
    throw invalidInput('confidence must be between 0 and 1.');
  const arc = { structureId: mapping.id, from: source.id, to: target.id, type };
  const conflicting = await findConflictingArc(tx, arc);
  if (conflicting !== undefined) throw alreadyMapped(conflicting, target.id);
  // Checked after the conflict, because repeating an existing arc affects no closed month.
  if (type === 'mapping') await refuseClosedHistory(work, source.id, parts.guards);

  const id = parts.ids.make('assoc');
  const values = {
    id,
    structure_id: mapping.id,
    from_element_id: source.id,
    to_element_id: target.id,
    association_type: type,
    order_value: request.order_value ?? 0,
    weight: request.weight ?? null,
    confidence,
    suggested_by: request.suggested_by ?? null,
    // A user who maps an account approves the arc (taxonomy M-10).
    approved_by: approvedBy,
  };
  const stamp = { graph_id: tx.graphId, created_by: work.userId, created_at: work.now, updated_at: work.now };
  const row = {
    ...values,
    ...stamp,
    arcrole: arcroleOf(type),
    approved_at: approvedBy === null ? null : work.now,
    metadata: {},
  };
  await insertArc(work, row);
  return {
    ...values,
    from_element_name: source.name,
    from_element_qname: source.qname,
    to_element_name: target.name,
    to_element_qname: target.qname,
  };
}

/** Of two requests that race for one account, the unique index accepts one. */
async function insertArc(work: BlockWork, row: RowValues): Promise<void> {
  try {
    await insertRows(work.tx, associationTable, [row]);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
    throw new ServiceError('conflict', 'ASSOCIATION_EXISTS', 'Mapping association already exists', { cause: error });
  }
}

async function removeAssociation(
  work: BlockWork,
  mappingId: string,
  associationId: string,
  parts: MappingEditParts,
): Promise<void> {
  if (parts.library.structureById(mappingId) !== undefined) throw libraryImmutable();
  const association = await findAssociation(work.tx, mappingId, associationId);
  if (association === undefined) throw notFound('Association not found');
  if (association.association_type === 'mapping') {
    await refuseClosedHistory(work, association.from_element_id, parts.guards);
  }
  // Verification results and rules about the arc are deleted before it (taxonomy M-11).
  const ruleIds = await findRulesOfArcs(work.tx, [associationId]);
  for (const dependant of parts.dependants) await dependant.removeResults(work.tx, ruleIds);
  await deleteRules(work.tx, ruleIds);
  await deleteAssociations(work.tx, [associationId]);
}

async function sourceAccount(work: BlockWork, elementId: string, library: LibraryCatalog): Promise<Account> {
  if (library.elementById(elementId) !== undefined) throw libraryImmutable();
  const account = (await findAccounts(work.tx, [elementId])).get(elementId);
  if (account === undefined) {
    const exists = (await findTenantElement(work.tx, elementId)) !== undefined;
    if (exists)
      throw invalidInput('source_not_account: the source element is not an account of a chart of this graph.');
    throw new ServiceError('refused', 'SOURCE_NOT_FOUND', 'Source element not found');
  }
  if (!account.isActive)
    throw invalidInput('source_inactive: the account is retired. Reactivate it before mapping it.');
  return account;
}

async function targetRefusal(work: BlockWork, elementId: string): Promise<ServiceError> {
  const exists = (await findTenantElement(work.tx, elementId)) !== undefined;
  if (exists) return invalidInput('target_not_mappable: the target is not a concept of the reporting framework.');
  return new ServiceError('refused', 'TARGET_NOT_FOUND', 'Target element not found');
}

async function refuseClosedHistory(work: BlockWork, accountId: string, guards: readonly ElementGuard[]): Promise<void> {
  const months = await closedMonthsOf(work.tx, [accountId], guards);
  if (months !== undefined) throw invalidInput(`protected_facts: ${historyMessage(months)}`);
}

function alreadyMapped(
  conflicting: { readonly id: string; readonly to_element_id: string },
  targetId: string,
): ServiceError {
  const details = { association_id: conflicting.id };
  if (conflicting.to_element_id === targetId) {
    return new ServiceError('conflict', 'ASSOCIATION_EXISTS', 'Mapping association already exists', { details });
  }
  const message = 'Account is already mapped on this mapping; delete the existing association first';
  return new ServiceError('conflict', 'ACCOUNT_ALREADY_MAPPED', message, { details });
}

function libraryImmutable(): ServiceError {
  return new ServiceError('forbidden', 'LIBRARY_IMMUTABLE', 'Rows of the shipped library cannot be changed.');
}
