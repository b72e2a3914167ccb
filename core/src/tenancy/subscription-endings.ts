import { type CollectionEntry, createCollection } from '../container/token.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { Transaction } from '../store/store.ts';

/** A request to delete a graph and so to end what its organization pays for it. */
export interface EndingRequest {
  readonly graph: Graph;
  readonly caller: Caller;
  /** True to end with the paid period instead of at once. */
  readonly atPeriodEnd: boolean;
}

/** Ends the subscription of a graph that is deleted (graphs G-53); contributed by a plugin that sells graphs. */
export interface SubscriptionEnding extends CollectionEntry {
  /** Throws 404 if the graph has no subscription. */
  requireSubscription(request: EndingRequest): Promise<void>;
  /** Throws 400 if the subscription cannot be ended, then tells the payment provider. Repeatable. */
  prepare(request: EndingRequest): Promise<void>;
  /** Records the end and returns its time, in the kernel transaction of the request. */
  end(tx: Transaction, request: EndingRequest): Promise<Date>;
}

export const subscriptionEndings = createCollection<SubscriptionEnding>('kernel.subscription-endings');
