import { type Collection, type CollectionEntry, createCollection } from '../container/token.ts';
import type { Transaction } from '../store/store.ts';

/**
 * Ends a plugin's commitments to a member who leaves, such as subscriptions paid by the organization (platform U-7).
 * It runs first, inside the transaction that removes the member, in the kernel scope. If an outside party refuses,
 * throw a ServiceError of the kind `upstream`: the removal fails with 502 and changes nothing. The transaction may
 * still fail afterwards, so ending the same thing twice must succeed.
 */
export interface MemberDeparture extends CollectionEntry {
  /** The name of the count in the audit row of the removal, such as `repository_subscriptions`. */
  readonly counts: string;
  /** Ends the member's commitments; returns their number. */
  depart(leaving: MemberLeaving): Promise<number>;
}

export interface MemberLeaving {
  readonly tx: Transaction;
  readonly orgId: string;
  readonly userId: string;
  readonly now: Date;
}

export const memberDepartures: Collection<MemberDeparture> = createCollection('kernel.member-departures');
