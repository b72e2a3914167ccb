import { type FixedClock, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type Credits, credits as creditsToken } from '../src/credits/credits.ts';
import { turnDuePeriods } from '../src/credits/period-turns.ts';
import { defineJob } from '../src/define/job.ts';
import { definePlugin } from '../src/define/plugin.ts';
import creditsThreshold from '../src/events/credits-threshold.ts';
import type { KernelCreditPool } from '../src/rows.gen.ts';
import { eventPublisher } from '../src/services/events.ts';
import { kernel } from '../src/services/kernel-tokens.ts';

export const model = 'anthropic_claude_4_sonnet';

/** A call of 1,000 × n input tokens, which costs 3 × n credits. */
export const tokens = (thousands: number) => ({ model, inputTokens: thousands * 1_000, outputTokens: 0 });

/** A service with credit pools, a user who stays signed in for months, and helpers for reading pools. */
export class CreditFixture {
  readonly service: TestService;
  readonly user: TestClient;
  readonly clock: FixedClock;
  /** The alerts that were delivered. */
  readonly heard: readonly { readonly graph_id: string }[];
  #calls = 0;

  constructor(parts: Pick<CreditFixture, 'clock' | 'heard' | 'service' | 'user'>) {
    this.service = parts.service;
    this.user = parts.user;
    this.clock = parts.clock;
    this.heard = parts.heard;
  }

  get credits(): Credits {
    return this.service.service.services.resolve(creditsToken);
  }

  /** Returns the first model call of a new run. */
  newCall() {
    this.#calls += 1;
    const facts = { operationType: 'analyst', userId: 'user_1', requestId: 'req_1' };
    return { ...facts, operationId: `op_${this.#calls}`, callIndex: 0 };
  }

  /** Reads the stored balance in hundredths and checks that it is the sum of the transactions (platform C-5). */
  async balance(graphId: string): Promise<number> {
    const [row] = await this.service.store.transaction('kernel', (tx) =>
      tx.query<{ readonly balance: KernelCreditPool['balance_hundredths']; sum: number }>(sql`
        SELECT balance_hundredths AS balance, (SELECT sum(amount_hundredths)::bigint FROM kernel_credit_transaction t
          WHERE t.pool_id = p.id) AS sum
        FROM kernel_credit_pool p WHERE graph_id = ${graphId}`),
    );
    if (row === undefined) throw new Error('The graph has no pool.');
    expect(row.sum).toBe(row.balance);
    return row.balance;
  }

  /** Lists all transactions as `type amount` in wire form, newest first. */
  async typesOf(graphId: string): Promise<readonly string[]> {
    const answer = await this.user.get(`/v1/graphs/${graphId}/credits/transactions`);
    return answer.body.transactions.map((row: { type: string; amount: number }) => `${row.type} ${row.amount}`);
  }

  /** Reduces a pool of 8,000 credits to this many. */
  async leave(graphId: string, left: number): Promise<void> {
    const grant = { credits: left - 8_000, description: 'Less for a test', idempotencyKey: `leave_${graphId}` };
    await this.service.store.transaction('kernel', (tx) => this.credits.grant(tx, { graphId }, grant));
  }

  /** Runs the work of the job. */
  turnPeriods(): Promise<number> {
    const { services } = this.service.service;
    const events = services.resolve(eventPublisher);
    const parts = { store: this.service.store, clock: this.clock, ids: services.resolve(kernel.ids), events };
    return turnDuePeriods(parts, new AbortController().signal);
  }
}

/** Starts a service at an instant, with one part that subscribes to alerts. */
export async function startCredits(instant: string): Promise<CreditFixture> {
  const heard: { readonly graph_id: string }[] = [];
  const listener = definePlugin({
    name: 'listener',
    title: 'Listens to alerts',
    version: '0.1.0',
    kernel: '^0.1.0',
    jobs: [
      defineJob({
        name: 'hear-thresholds',
        summary: 'Notes every alert.',
        on: creditsThreshold,
        maxSeconds: 10,
        handle: async ({ payload }) => {
          heard.push(payload);
        },
      }),
    ],
  });
  const clock = fixedClock(instant);
  const service = await startTestService({ plugins: [listener], clock, settings: { orgs: { maxGraphs: 30 } } });
  const key = await (await service.newUser('Ann')).post('/v1/user/api-keys', { name: 'Long-lived' });
  const user = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
  return new CreditFixture({ service, user, clock, heard });
}
