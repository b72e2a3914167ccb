import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gateOf,
  isLive,
  nextPeriod,
  periodDays,
  periodFrom,
  type SubscriptionEvent,
  type SubscriptionStatus,
  statusAfter,
  subscriptionStatuses,
} from './subscription-state.ts';

const events: readonly SubscriptionEvent[] = [
  'checkout-completed',
  'checkout-expired',
  'resource-ready',
  'provisioning-failed',
  'charged',
  'first-charge-failed',
  'charge-failed',
  'retries-exhausted',
  'upgrade-started',
  'upgrade-ended',
  'paused',
  'resumed',
  'canceled',
];

function walk(from: SubscriptionStatus, steps: readonly SubscriptionEvent[]): readonly SubscriptionStatus[] {
  const seen: SubscriptionStatus[] = [from];
  let status = from;
  for (const step of steps) {
    status = statusAfter(status, step) ?? status;
    seen.push(status);
  }
  return seen;
}

describe('subscription-state', () => {
  it('never leaves a final status on a provider event (platform B-3)', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('canceled' as const, 'failed' as const),
        fc.array(fc.constantFrom(...events)),
        (start, steps) => {
          expect(new Set(walk(start, steps))).toEqual(new Set([start]));
        },
      ),
    );
  });

  it('never opens a resource bought by checkout before it is paid (platform B-2, B-3)', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events.filter((event) => event !== 'checkout-completed'))), (steps) => {
        for (const status of walk('pending_payment', steps)) expect(gateOf(status, true).reads).toBe(false);
      }),
    );
  });

  it('never allows writes without reads, and blocks writes only where reads are allowed (platform B-2)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...subscriptionStatuses), fc.boolean(), (status, hasEnded) => {
        const gate = gateOf(status, hasEnded);
        if (gate.writes) expect(gate.reads).toBe(true);
        expect(gate.block !== null).toBe(gate.reads && !gate.writes);
      }),
    );
  });

  it('recovers when a failed charge is paid and ends unpaid when it never is (platform B-3)', () => {
    expect(walk('active', ['charge-failed', 'charged'])).toEqual(['active', 'past_due', 'active']);
    expect(walk('active', ['charge-failed', 'retries-exhausted', 'charged'])).toEqual([
      'active',
      'past_due',
      'unpaid',
      'active',
    ]);
    expect(walk('unpaid', ['canceled']).at(-1)).toBe('canceled');
  });

  it('is canceled or failed exactly when the subscription is not live (platform B-1)', () => {
    expect(subscriptionStatuses.filter((status) => !isLive(status))).toEqual(['canceled', 'failed']);
  });

  it('does not allow canceling during an upgrade (platform B-12)', () => {
    expect(statusAfter('upgrading', 'canceled')).toBeUndefined();
  });
});

describe('billing periods', () => {
  it('are contiguous and do not drift (platform B-5)', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
        fc.nat(60),
        (start, turns) => {
          let period = periodFrom(start);
          for (let turn = 0; turn < turns; turn += 1) {
            const next = nextPeriod(period);
            expect(next.start).toEqual(period.end);
            period = next;
          }
          expect(period.start.getTime() - start.getTime()).toBe(turns * periodDays * 86_400_000);
        },
      ),
    );
  });
});
