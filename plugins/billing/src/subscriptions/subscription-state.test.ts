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

describe('the states of a subscription', () => {
  it('never leave the end by anything that a provider sends (platform B-3)', () => {
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

  it('never open a resource that was bought by checkout before the payment (platform B-2, B-3)', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events.filter((event) => event !== 'checkout-completed'))), (steps) => {
        for (const status of walk('pending_payment', steps)) expect(gateOf(status, true).reads).toBe(false);
      }),
    );
  });

  it('never allow writes without reads, nor a block without reads (platform B-2)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...subscriptionStatuses), fc.boolean(), (status, hasEnded) => {
        const gate = gateOf(status, hasEnded);
        if (gate.writes) expect(gate.reads).toBe(true);
        expect(gate.block !== null).toBe(gate.reads && !gate.writes);
      }),
    );
  });

  it('go on after a failed charge was paid, and end unpaid when it never is (platform B-3)', () => {
    expect(walk('active', ['charge-failed', 'charged'])).toEqual(['active', 'past_due', 'active']);
    expect(walk('active', ['charge-failed', 'retries-exhausted', 'charged'])).toEqual([
      'active',
      'past_due',
      'unpaid',
      'active',
    ]);
    expect(walk('unpaid', ['canceled']).at(-1)).toBe('canceled');
  });

  it('are canceled or failed exactly when they are not live (platform B-1)', () => {
    expect(subscriptionStatuses.filter((status) => !isLive(status))).toEqual(['canceled', 'failed']);
  });

  it('keep an upgrade from being canceled (platform B-12)', () => {
    expect(statusAfter('upgrading', 'canceled')).toBeUndefined();
  });
});

describe('periods', () => {
  it('follow each other without gap or drift (platform B-5)', () => {
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
