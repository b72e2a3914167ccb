import type { SecurityAudit } from '../../audit/security-audit.ts';
import { createToken, type Token } from '../../container/token.ts';
import { rateLimited, ServiceError } from '../../errors/service-error.ts';
import { sha256 } from '../../schema/canonical.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import {
  dropShortLived,
  lockShortLived,
  putShortLived,
  readShortLived,
  type ShortLivedKey,
} from '../../store/short-lived.ts';
import type { Store } from '../../store/store.ts';

/** The client address and the email address of an attempt, if known. */
export interface Attempt {
  readonly ip?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Delays and then blocks repeated failed attempts, per client address and per email address (platform A-20). Every
 * method opens its own transaction, so that a failure counts even if the caller's work is rolled back: call them
 * outside transactions. Call `check` before comparing the secret, then exactly one of `failed` and `succeeded`.
 */
export interface BruteForce {
  /** Throws 429 while a delay or a block lasts. */
  check(attempt: Attempt): Promise<void>;
  failed(attempt: Attempt): Promise<void>;
  /** Removes one failure and ends the delay. */
  succeeded(attempt: Attempt): Promise<void>;
}

export const bruteForce: Token<BruteForce> = createToken('kernel.brute-force');

/** The wait after the first, second, … failure; later failures wait as long as the last entry. */
const delaysSeconds = [1, 2, 5, 10, 30, 60, 300, 900] as const;

const blocks = [
  { minFailures: 20, seconds: 86_400, level: 'critical' },
  { minFailures: 10, seconds: 3_600, level: 'high' },
  { minFailures: 5, seconds: 900, level: 'medium' },
] as const;

/** Failures expire this long after the last one, or after the end of the block it caused. */
const rememberedSeconds = 86_400;

interface Failures {
  readonly failures: number;
  /** Milliseconds of the epoch; null once a success has ended the delay. */
  readonly failed_at: number | null;
}

const none: Failures = { failures: 0, failed_at: null };

interface BruteForceServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
}

/** Counts failures in the store, so that all processes of a deployment share the counts. */
export class StoredBruteForce implements BruteForce {
  readonly #use: BruteForceServices;

  constructor(use: BruteForceServices) {
    this.#use = use;
  }

  async check(attempt: Attempt): Promise<void> {
    const now = this.#use.clock.now();
    const known = await this.#use.store.transaction(
      'kernel',
      async (tx) => {
        const found: Failures[] = [];
        for (const key of keysOf(attempt)) found.push((await readShortLived<Failures>(tx, key, now)) ?? none);
        return found;
      },
      { readOnly: true },
    );
    const seconds = now.getTime() / 1000;
    const blocked = Math.max(...known.map((entry) => blockEnd(entry) - seconds), 0);
    if (blocked > 0) throw tooManyAttempts(Math.ceil(blocked), Math.max(...known.map((entry) => entry.failures)));
    const delayed = Math.max(...known.map((entry) => delayEnd(entry) - seconds), 0);
    if (delayed > 0) throw tooSoon(Math.ceil(delayed));
  }

  async failed(attempt: Attempt): Promise<void> {
    const now = this.#use.clock.now();
    await this.#use.store.transaction('kernel', async (tx) => {
      for (const key of keysOf(attempt)) {
        const before = await lockShortLived(tx, key, none, now);
        const failures = before.failures + 1;
        const block = blockOf(failures);
        const until = new Date(now.getTime() + (rememberedSeconds + (block?.seconds ?? 0)) * 1000);
        await putShortLived(tx, key, { failures, failed_at: now.getTime() } satisfies Failures, until);
        if (block === undefined) continue;
        const details = { reason: 'too_many_failures', counted_by: key.kind, failures };
        const request = attempt.ip === undefined ? {} : { request: { ip: attempt.ip } };
        await this.#use.audit.append(tx, { type: 'suspicious_activity', risk: block.level, ...request, details });
      }
    });
  }

  async succeeded(attempt: Attempt): Promise<void> {
    const now = this.#use.clock.now();
    await this.#use.store.transaction('kernel', async (tx) => {
      for (const key of keysOf(attempt)) {
        // Most users never fail, so most successes write nothing.
        if ((await readShortLived(tx, key, now)) === undefined) continue;
        const before = await lockShortLived(tx, key, none, now);
        const until = new Date(now.getTime() + rememberedSeconds * 1000);
        if (before.failures <= 1) await dropShortLived(tx, key);
        else await putShortLived(tx, key, { failures: before.failures - 1, failed_at: null } satisfies Failures, until);
      }
    });
  }
}

/** Never delays or blocks: for tests that fail on purpose. */
export const unlimitedAttempts: BruteForce = {
  check: async () => undefined,
  failed: async () => undefined,
  succeeded: async () => undefined,
};

function keysOf(attempt: Attempt): readonly ShortLivedKey[] {
  const keys: ShortLivedKey[] = [];
  if (attempt.ip !== undefined && attempt.ip !== '') keys.push({ kind: 'failures-by-ip', key: attempt.ip });
  if (attempt.email !== undefined) {
    const email = sha256(attempt.email.trim().toLowerCase());
    keys.push({ kind: 'failures-by-email', key: email });
  }
  return keys;
}

function blockOf(failures: number): (typeof blocks)[number] | undefined {
  return blocks.find((block) => failures >= block.minFailures);
}

function blockEnd({ failures, failed_at }: Failures): number {
  return failed_at === null ? 0 : failed_at / 1000 + (blockOf(failures)?.seconds ?? 0);
}

function delayEnd({ failures, failed_at }: Failures): number {
  const seconds = delaysSeconds[Math.min(failures, delaysSeconds.length) - 1] ?? 0;
  return failed_at === null ? 0 : failed_at / 1000 + seconds;
}

function tooSoon(seconds: number): ServiceError {
  const message = `Please wait ${seconds} seconds before trying again.`;
  return new ServiceError('rate_limited', 'TOO_MANY_ATTEMPTS', message, { headers: { 'Retry-After': `${seconds}` } });
}

function tooManyAttempts(seconds: number, failures: number): ServiceError {
  return rateLimited('TOO_MANY_ATTEMPTS', 'Too many failed attempts.', seconds, {
    'X-Auth-Threat-Level': blockOf(failures)?.level ?? 'medium',
    'X-Auth-Blocked': 'true',
    'X-Auth-Block-Expires': `${seconds}`,
  });
}
