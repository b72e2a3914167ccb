import { createToken, type Token } from '../container/token.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { OfferedRepository } from '../tenancy/offered-repositories.ts';
import { tierNumbers } from '../tenancy/tier-numbers.ts';
import type { Usage } from '../usage/usage.ts';
import { creditsText, hundredthsPerCredit, toCredits, toHundredths } from './amounts.ts';
import { type CreditReads, creditReads } from './credit-reads.ts';
import { type CreditParts, changePoolAllocation, closePool, movePool, openPool } from './pool-changes.ts';
import { findPool, type Pool, type PoolOwner } from './pool-rows.ts';
import {
  type CallFacts,
  type CallKey,
  type Charge,
  type ChargedCalls,
  chargedCalls,
  releaseCall,
  reserveIn,
  settleIn,
  unsettledCalls,
} from './reservations.ts';
import type { TokenPrices, TokenUsage } from './token-prices.ts';

const maxExpiredCallsPerTurn = 500;

export interface CreditServices extends CreditParts {
  readonly store: Store;
  readonly settings: KernelSettings;
  readonly prices: TokenPrices;
  readonly usage: Usage;
  readonly repositories: readonly OfferedRepository[];
}

/** A change of a balance by an operator. */
export interface Grant {
  /** Credits with at most two decimals; negative credits are deducted, down to zero. */
  readonly credits: number;
  readonly description: string;
  readonly userId?: string;
  /** Granting again with the same key changes nothing. */
  readonly idempotencyKey: string;
}

export const credits: Token<Credits> = createToken('kernel.credits');

/**
 * Credit pools and their charges (platform section 12). Methods with a `tx` work in the caller's transaction, in the
 * scope of the kernel or of the graph. The others open their own, so that reservations and charges are visible at once
 * and survive a failure of the run. Never call these inside a transaction, which may hold the pool they wait for.
 */
export class Credits {
  readonly #use: CreditServices;

  constructor(use: CreditServices) {
    this.#use = use;
  }

  /** The balance and the transaction list in wire form. */
  get reads(): CreditReads {
    return creditReads;
  }

  /** Names the pool that pays for work on a graph: in a shared repository, that of the subscriber (platform C-2). */
  ownerOf(graphId: string, userId: string): PoolOwner {
    const isShared = this.#use.repositories.some(({ key }) => key === graphId.split('_')[0]);
    return isShared ? { graphId: graphId.split('_')[0] ?? graphId, subscriberId: userId } : { graphId };
  }

  /** Returns the price of a model call, in hundredths of a credit (platform C-7). */
  price(usage: TokenUsage): number {
    return this.#use.prices.cost(usage);
  }

  /** Creates the pool of a graph or subscriber with its first allocation (platform C-4). Idempotent. */
  async open(tx: Transaction, owner: PoolOwner, tier: string, creditsMonthly?: number): Promise<void> {
    await openPool(this.#use, tx, owner, allocationOf(tier, creditsMonthly));
  }

  /** Closes a subscriber's pool: it pays for nothing until it is opened again (platform B-15). */
  async close(tx: Transaction, owner: PoolOwner): Promise<void> {
    await closePool(this.#use, tx, owner);
  }

  /** Applies a new tier or plan: the balance changes by the difference in allocation (platform C-16). Idempotent. */
  async changeAllocation(tx: Transaction, owner: PoolOwner, tier: string, creditsMonthly?: number): Promise<void> {
    await changePoolAllocation(this.#use, tx, owner, allocationOf(tier, creditsMonthly));
  }

  /** Adds an operator's bonus or correction. Throws 404 without a pool. */
  async grant(tx: Transaction, owner: PoolOwner, grant: Grant): Promise<void> {
    const pool = await findPool(tx, owner, { hold: true });
    if (pool === undefined) throw noPool();
    if (await this.reads.isBooked(tx, grant.idempotencyKey)) return;
    const { credits: amount, ...facts } = grant;
    const move = { ...facts, byHundredths: toHundredths(amount), operationType: 'grant', at: this.#use.clock.now() };
    await movePool(this.#use, tx, pool, move);
  }

  /**
   * Reserves the estimate of a model call, at least one credit unless it is free, for at most 300 seconds.
   * Throws 402 `INSUFFICIENT_CREDITS` with both numbers when the pool has less (platform C-8, C-12), and fails for a call
   * that was settled (platform C-11).
   */
  async reserve(owner: PoolOwner, call: CallFacts, estimate: TokenUsage): Promise<void> {
    const amount = this.price(estimate);
    if (amount === 0) return;
    const held = Math.max(hundredthsPerCredit, amount);
    await this.#use.store.transaction('kernel', async (tx) => {
      const pool = await findPool(tx, owner, { hold: true });
      const isHeld = pool?.is_active === true && (await reserveIn(this.#use, tx, pool, call, held));
      if (!isHeld) throw insufficient(call.operationType, held, pool);
    });
  }

  /** Refuses a run that its pool cannot pay for, before it is queued; reserves nothing (platform C-12). */
  async requireEnough(tx: Transaction, owner: PoolOwner, operationType: string, estimate: TokenUsage): Promise<void> {
    const amount = this.price(estimate);
    if (amount === 0) return;
    const pool = await findPool(tx, owner, { hold: false });
    if (pool?.is_active === true && pool.balance_hundredths >= amount) return;
    throw insufficient(operationType, amount, pool);
  }

  /** Sums up the settled calls of a run over all its attempts; calls without a price are not counted. */
  async chargedBy(operationId: string): Promise<ChargedCalls> {
    return this.#use.store.transaction('kernel', (tx) => chargedCalls(tx, operationId), { readOnly: true });
  }

  /**
   * Charges the actual usage of a call and releases the rest of its reservation; idempotent per call (platform C-8,
   * C-11). If the result is `isExhausted`, the run must end with `creditsExhausted()`.
   */
  async settle(owner: PoolOwner, call: CallFacts, usage: TokenUsage): Promise<Charge> {
    const { store, settings } = this.#use;
    return store.transaction('kernel', async (tx) => {
      const pool = await findPool(tx, owner, { hold: true });
      if (pool === undefined) return { charged_hundredths: 0, isExhausted: this.price(usage) > 0 };
      const overrun = Math.floor((pool.allocation_hundredths * settings.credits.overrunPercent) / 100);
      const { model, inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage;
      const charge = await settleIn(this.#use, tx, pool, call, {
        costHundredths: this.price(usage),
        floorHundredths: -overrun,
        metadata: {
          model,
          input_tokens: inputTokens,
          output_tokens: outputTokens,
          ...(cachedInputTokens === undefined ? {} : { cached_input_tokens: cachedInputTokens }),
          ...(cacheWriteTokens === undefined ? {} : { cache_write_tokens: cacheWriteTokens }),
          request_id: call.requestId,
          user_id: call.userId,
        },
      });
      await this.#use.usage.record(tx, {
        id: `use_${call.operationId}_${call.callIndex}`,
        graphId: pool.graph_id,
        type: 'credit_consumption',
        amount: charge.charged_hundredths,
        details: { operation_type: call.operationType, model },
      });
      return charge;
    });
  }

  /** Releases the reservation of a call that failed before the vendor used a token (platform C-10). Idempotent. */
  async release(call: CallKey): Promise<void> {
    await this.#use.store.transaction('kernel', (tx) =>
      releaseCall(this.#use, tx, call, 'Released: the model call was not made'),
    );
  }

  /** Releases expired reservations; returns the number of calls. */
  async releaseUnsettled(): Promise<number> {
    const { store, clock } = this.#use;
    const calls = await store.transaction('kernel', (tx) => unsettledCalls(tx, clock.now(), maxExpiredCallsPerTurn));
    for (const call of calls) {
      await store.transaction('kernel', (tx) =>
        releaseCall(this.#use, tx, call, 'Released: the model call was not settled in time'),
      );
    }
    return calls.length;
  }
}

/** Ends a run whose call cost more than its pool may ever owe (platform C-8). */
export function creditsExhausted(): ServiceError {
  const message = 'Credits exhausted. The run was stopped. Wait for the next monthly allocation or change the tier.';
  return new ServiceError('payment_required', 'INSUFFICIENT_CREDITS', message);
}

/** 404 for reads of an owner without a pool (platform C-12). */
export function noPool(): ServiceError {
  return new ServiceError('not_found', 'NOT_FOUND', 'No credit pool found for this graph.');
}

function insufficient(operationType: string, required: number, pool: Pool | undefined): ServiceError {
  const available = pool?.is_active === true ? pool.balance_hundredths : 0;
  const message = `Insufficient credits for ${operationType}. Required: ${creditsText(required)}, Available: ${creditsText(available)}`;
  const fields = { required_credits: toCredits(required), available_credits: toCredits(available) };
  return new ServiceError('payment_required', 'INSUFFICIENT_CREDITS', message, { details: fields, fields });
}

function allocationOf(tier: string, creditsMonthly: number | undefined): { tier: string; hundredths: number } {
  return { tier, hundredths: (creditsMonthly ?? tierNumbers(tier).creditsMonthly) * hundredthsPerCredit };
}
