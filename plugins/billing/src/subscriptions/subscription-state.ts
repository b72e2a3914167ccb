/** The statuses of a subscription (platform B-2). */
export const subscriptionStatuses = [
  'pending',
  'pending_payment',
  'provisioning',
  'active',
  'upgrading',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'failed',
] as const;

export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** An event that can change the status of a subscription. */
export type SubscriptionEvent =
  | 'checkout-completed'
  | 'checkout-expired'
  | 'resource-ready'
  | 'provisioning-failed'
  | 'charged'
  | 'first-charge-failed'
  | 'charge-failed'
  | 'retries-exhausted'
  | 'upgrade-started'
  | 'upgrade-ended'
  | 'paused'
  | 'resumed'
  | 'canceled'
  | 'resubscribed';

/** Platform B-3. Events that are not listed for a status leave it unchanged. */
const transitions: Readonly<Record<SubscriptionEvent, Partial<Record<SubscriptionStatus, SubscriptionStatus>>>> = {
  'checkout-completed': { pending_payment: 'provisioning' },
  'checkout-expired': { pending_payment: 'canceled' },
  'resource-ready': { provisioning: 'active' },
  'provisioning-failed': { provisioning: 'failed' },
  charged: { pending: 'active', past_due: 'active', unpaid: 'active' },
  'first-charge-failed': { pending: 'failed' },
  'charge-failed': { active: 'past_due' },
  'retries-exhausted': { active: 'unpaid', past_due: 'unpaid' },
  'upgrade-started': { active: 'upgrading' },
  'upgrade-ended': { upgrading: 'active' },
  paused: { active: 'paused', past_due: 'paused' },
  resumed: { paused: 'active' },
  canceled: {
    pending: 'canceled',
    pending_payment: 'canceled',
    provisioning: 'canceled',
    active: 'canceled',
    past_due: 'canceled',
    unpaid: 'canceled',
    paused: 'canceled',
  },
  resubscribed: { canceled: 'active', failed: 'active' },
};

/** The status after an event, or undefined when the event does not apply to the status. */
export function statusAfter(status: SubscriptionStatus, event: SubscriptionEvent): SubscriptionStatus | undefined {
  return transitions[event][status];
}

/** The statuses of a current sale: at most one per graph and one per user of a repository (platform B-1). */
export function isLive(status: SubscriptionStatus): boolean {
  return status !== 'canceled' && status !== 'failed';
}

/** The access that a subscription allows to its resource. */
export interface Gate {
  readonly reads: boolean;
  readonly writes: boolean;
  /** The reason why writes are refused while reads are allowed. */
  readonly block: 'upgrading' | 'canceled' | 'unpaid' | 'paused' | null;
  readonly isPastDue: boolean;
}

const open: Gate = { reads: true, writes: true, block: null, isPastDue: false };
const closed: Gate = { reads: false, writes: false, block: null, isPastDue: false };

/** The table of platform B-2. `hasEnded` tells whether the paid time of a canceled subscription is over. */
export function gateOf(status: SubscriptionStatus, hasEnded: boolean): Gate {
  switch (status) {
    case 'pending':
    case 'active':
      return open;
    case 'past_due':
      return { ...open, isPastDue: true };
    case 'upgrading':
    case 'unpaid':
    case 'paused':
      return { reads: true, writes: false, block: status, isPastDue: false };
    case 'canceled':
      return hasEnded ? closed : { reads: true, writes: false, block: 'canceled', isPastDue: false };
    case 'pending_payment':
    case 'provisioning':
    case 'failed':
      return closed;
  }
}

/** The length of a paid period (platform B-5). */
export const periodDays = 30;

const dayMs = 86_400_000;

export function daysAfter(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * dayMs);
}

export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** A first period. */
export function periodFrom(start: Date): Period {
  return { start, end: daysAfter(start, periodDays) };
}

/** The dates of a subscription that starts now, in the form of its row. */
export function beginningAt(now: Date): {
  readonly started_at: Date;
  readonly current_period_start: Date;
  readonly current_period_end: Date;
} {
  const period = periodFrom(now);
  return { started_at: now, current_period_start: period.start, current_period_end: period.end };
}

/** The next period, which starts where the previous one ended, however late it is computed (platform B-5). */
export function nextPeriod(period: Period): Period {
  return periodFrom(period.end);
}
