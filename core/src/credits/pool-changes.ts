import { sql } from 'kysely';
import { monthOf } from '../calendar.ts';
import type { EventPublisher } from '../services/events.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import type { Transaction } from '../store/store.ts';
import { alertWhenLow } from './credit-alerts.ts';
import { book, findPool, insertPool, type Pool, type PoolOwner } from './pool-rows.ts';

/** The services that changes of pools use. */
export interface CreditParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: EventPublisher;
}

/** The credits that a pool receives in each period. */
export interface Allocation {
  /** The tier of a graph, or the plan of a subscriber. */
  readonly tier: string;
  readonly hundredths: number;
}

/** Creates the pool of a graph or subscriber with its first allocation; keeps an open pool (platform C-4). */
export async function openPool(
  parts: CreditParts,
  tx: Transaction,
  owner: PoolOwner,
  { tier, hundredths }: Allocation,
): Promise<void> {
  const at = parts.clock.now();
  const made = await insertPool(tx, {
    id: parts.ids.make('crd'),
    graph_id: owner.graphId,
    subscriber_id: owner.subscriberId ?? null,
    tier,
    allocation_hundredths: hundredths,
    period_started_at: at,
  });
  if (made !== undefined) {
    await allocate(parts, tx, made, { kind: 'initial', at, key: `initial_allocation_${nameOf(made)}` });
    return;
  }
  const found = await findPool(tx, owner, { hold: true });
  if (found === undefined || found.is_active) return;
  // A returning subscriber starts fresh: the earlier balance is written off.
  await tx.query(sql`UPDATE kernel_credit_pool SET is_active = true, tier = ${tier},
    allocation_hundredths = ${hundredths}, period_started_at = ${at} WHERE id = ${found.id}`);
  const reopened = { ...found, is_active: true, tier, allocation_hundredths: hundredths, period_started_at: at };
  const again = at.toISOString();
  const emptied = await writeOff(parts, tx, reopened, { at, key: `reopening_expiration_${nameOf(found)}_${again}` });
  await allocate(parts, tx, emptied, { kind: 'initial', at, key: `initial_allocation_${nameOf(found)}_${again}` });
}

/** Closes a pool until it is opened again; its transactions remain (platform B-15). */
export async function closePool(parts: CreditParts, tx: Transaction, owner: PoolOwner): Promise<void> {
  const pool = await findPool(tx, owner, { hold: true });
  if (pool === undefined) return;
  await tx.query(sql`UPDATE kernel_credit_pool SET is_active = false, updated_at = ${parts.clock.now()}
    WHERE id = ${pool.id}`);
}

/** Starts the period that began at `startsAt`: the allocation replaces the balance (platform C-4). */
export async function turnPeriod(
  parts: CreditParts,
  tx: Transaction,
  pool: Pool,
  { startsAt, period }: { readonly startsAt: Date; readonly period: string },
): Promise<void> {
  const at = parts.clock.now();
  await tx.query(sql`UPDATE kernel_credit_pool SET period_started_at = ${startsAt} WHERE id = ${pool.id}`);
  const name = nameOf(pool);
  const emptied = await writeOff(parts, tx, pool, { at, key: `monthly_expiration_${name}_${period}` });
  await allocate(parts, tx, emptied, { kind: 'monthly', at, key: `monthly_allocation_${name}_${period}` });
}

/**
 * Applies a new tier's allocation and changes the balance by the difference, but never below zero. Idempotent, because
 * the second difference is zero (platform C-16).
 */
export async function changePoolAllocation(
  parts: CreditParts,
  tx: Transaction,
  owner: PoolOwner,
  { tier, hundredths }: Allocation,
): Promise<void> {
  const pool = await findPool(tx, owner, { hold: true });
  if (pool === undefined) return openPool(parts, tx, owner, { tier, hundredths });
  const at = parts.clock.now();
  await tx.query(sql`UPDATE kernel_credit_pool SET tier = ${tier}, allocation_hundredths = ${hundredths},
    updated_at = ${at} WHERE id = ${pool.id}`);
  const changed: Pool = { ...pool, tier, allocation_hundredths: hundredths };
  await movePool(parts, tx, changed, {
    byHundredths: hundredths - pool.allocation_hundredths,
    operationType: 'tier_change',
    description: `Credits of the change from ${pool.tier} to ${tier}`,
    metadata: { old_tier: pool.tier, new_tier: tier },
    at,
  });
}

/** A manual change of a balance. */
export interface PoolMove {
  readonly byHundredths: number;
  readonly operationType: string;
  readonly description: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
  readonly userId?: string;
  readonly at: Date;
}

/** Adds or deducts a bonus; a deduction never makes the balance negative. */
export async function movePool(parts: CreditParts, tx: Transaction, pool: Pool, move: PoolMove): Promise<void> {
  const { byHundredths, ...facts } = move;
  const amountHundredths =
    byHundredths >= 0 ? byHundredths : -Math.min(-byHundredths, Math.max(0, pool.balance_hundredths));
  if (amountHundredths === 0) return;
  const after = await book(tx, pool, {
    ...facts,
    id: parts.ids.make('tx'),
    type: 'bonus',
    amount_hundredths: amountHundredths,
  });
  await alertWhenLow(tx, { events: parts.events, pool: after, at: move.at });
}

/** Names a pool in idempotency keys. */
function nameOf(pool: Pool): string {
  return pool.subscriber_id === null ? pool.graph_id : `${pool.graph_id}_${pool.subscriber_id}`;
}

/** Writes off the credits left at the end of a period, including bonuses. */
async function writeOff(
  parts: CreditParts,
  tx: Transaction,
  pool: Pool,
  { at, key }: { readonly at: Date; readonly key: string },
): Promise<Pool> {
  if (pool.balance_hundredths <= 0) return pool;
  return book(tx, pool, {
    id: parts.ids.make('tx'),
    type: 'expiration',
    amount_hundredths: -pool.balance_hundredths,
    operationType: 'expiration',
    description: 'Credits left at the end of the period',
    idempotencyKey: key,
    at,
  });
}

/** Fills an emptied pool to its allocation, which writes off any debt of the previous period. */
async function allocate(
  parts: CreditParts,
  tx: Transaction,
  pool: Pool,
  { kind, at, key }: { readonly kind: 'initial' | 'monthly'; readonly at: Date; readonly key: string },
): Promise<void> {
  const debt = pool.balance_hundredths < 0 ? { debt_written_off: -pool.balance_hundredths / 100 } : {};
  await book(tx, pool, {
    id: parts.ids.make('tx'),
    type: 'allocation',
    amount_hundredths: pool.allocation_hundredths - pool.balance_hundredths,
    operationType: `${kind}_allocation`,
    description: kind === 'initial' ? 'First allocation' : `Allocation for ${monthOf(at)}`,
    metadata: { allocation_type: kind, ...debt },
    idempotencyKey: key,
    at,
  });
}
