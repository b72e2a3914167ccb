import { type Collection, type CollectionEntry, createCollection } from '../services/token.ts';
import type { Transaction } from '../store/store.ts';

/**
 * What another plugin ends when somebody leaves an organisation, such as subscriptions that it pays for (platform U-7).
 * It runs first, inside the transaction that removes the member, in the kernel scope. When an outside party refuses,
 * throw a ServiceError of the kind `upstream`: the removal answers 502 and nothing has changed. The transaction may
 * still fail afterwards, so that ending the same thing twice must be no mistake.
 */
export interface MemberDeparture extends CollectionEntry {
  /** What is counted, as the audit row of the removal calls it, such as `repository_subscriptions`. */
  readonly counts: string;
  /** Ends what the member had; returns how many things that were. */
  depart(leaving: MemberLeaving): Promise<number>;
}

export interface MemberLeaving {
  readonly tx: Transaction;
  readonly orgId: string;
  readonly userId: string;
  readonly now: Date;
}

export const memberDepartures: Collection<MemberDeparture> = createCollection('kernel.member-departures');
