import { type Caller, ServiceError } from '@pacioli/core';
import type { Subscription } from './subscription-rows.ts';

/** Requires a member of the path’s organization; the error reveals nothing to others (platform U-4). */
export function requireMember(caller: Caller, orgId: string): void {
  if (caller.orgId === orgId) return;
  throw new ServiceError('forbidden', 'FORBIDDEN', 'You are not a member of this organization');
}

/** Only the owner may pay or change payment methods (platform P-18). */
export function requireOwner(caller: Caller, orgId: string): void {
  requireMember(caller, orgId);
  if (caller.orgRole === 'owner') return;
  throw new ServiceError('forbidden', 'FORBIDDEN', 'Only the owner of the organization may do this.');
}

/** Admins may see what the organization pays but cannot change it (platform P-19). */
export function requireOwnerOrAdmin(caller: Caller, orgId: string): void {
  requireMember(caller, orgId);
  if (caller.orgRole === 'owner' || caller.orgRole === 'admin') return;
  throw new ServiceError('forbidden', 'FORBIDDEN', 'Only owners and admins of the organization may do this.');
}

export function refused(message: string, code = 'INVALID_INPUT'): ServiceError {
  return new ServiceError('refused', code, message);
}

/** Platform B-13: one live subscription per repository and user. */
export function alreadySubscribed(): ServiceError {
  return new ServiceError('conflict', 'ALREADY_SUBSCRIBED', 'This user already has a subscription to this repository.');
}

/** Platform B-13: a repository subscription that cannot be paid. */
export function paymentRequired(message: string): ServiceError {
  return new ServiceError('payment_required', 'PAYMENT_REQUIRED', message);
}

/** Reports that the provider refused or is unreachable and nothing was changed (platform B-12). */
export function providerFailed(cause: unknown): ServiceError {
  const message = 'The payment provider did not accept this. Nothing was changed; try again in a few minutes.';
  return new ServiceError('upstream', 'PAYMENT_PROVIDER_ERROR', message, { cause });
}

/** Calls the provider and turns its failures into our 502. */
export async function atProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw providerFailed(error);
  }
}

/** Platform B-12, in this order. Returns whether the subscription ends immediately. */
export function checkCancellation(
  row: Subscription,
  request: { readonly immediate?: boolean; readonly confirm?: string | null },
): 'immediate' | 'period_end' {
  if (row.status === 'canceled' || row.status === 'failed') throw refused('This subscription has already ended.');
  if (row.status === 'upgrading') throw refused('The tier is being changed. Cancel when that is done.');
  const neverActive = row.started_at === null;
  if (request.immediate === true && request.confirm !== row.resource_id && row.resource_id !== null) {
    throw refused(`To end the subscription at once, send confirm with the value '${row.resource_id}'.`);
  }
  return request.immediate === true || neverActive ? 'immediate' : 'period_end';
}
