import { invalidInput, notFound, ServiceError } from '@pacioli/core';

/** The outcome of the delivery of a report to one graph (D-4). */
export interface ShareResult {
  readonly target_graph_id: string;
  readonly status: 'shared' | 'error';
  readonly error: string | null;
  readonly fact_count: number;
}

/** Texts that a sender may read about a recipient; nothing else about it leaves the server (investor H-5). */
export const deliveryErrors = {
  notFound: (graphId: string) => `Graph '${graphId}' not found.`,
  noExtension: 'Target graph has no extensions schema — it must have one of: roboledger, roboinvestor.',
  blocked: 'Recipient has blocked shares from this graph.',
  tooLarge: 'Report is too large to share.',
  tooMany: 'Too many deliveries to this recipient.',
  notValidated: 'Failed to validate target graph.',
  notCopied: 'Failed to copy report data.',
} as const;

/** An error that all operations on shares declare: the report is locked by another request. */
export const sharingErrors = {
  WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another request is writing or sharing the report.' },
} as const;

/** A refusal of the recipient, within its transaction. */
export class DeliveryRefusal extends Error {}

export function listNotFound(): ServiceError {
  return notFound('Publish list not found.');
}

export function listIsEmpty(): ServiceError {
  return invalidInput('Publish list has no members.');
}

export function notListCreator(): ServiceError {
  return new ServiceError('forbidden', 'NOT_AUTHOR', 'Not authorized to modify this publish list.');
}

export function tooManyAdditions(): ServiceError {
  const message = 'At most 60 calls in an hour add members to publish lists. Try again later.';
  return new ServiceError('rate_limited', 'TOO_MANY_ATTEMPTS', message, { headers: { 'Retry-After': '60' } });
}
