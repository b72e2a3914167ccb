import { sql } from 'kysely';
import { type Provider, provide } from '../container/provider.ts';
import { createToken, type Token } from '../container/token.ts';
import type { Caller, Log } from '../define/context.ts';
import { type Clock, type Ids, kernel } from '../services/kernel-tokens.ts';
import type { Store, Transaction } from '../store/store.ts';

/** The kinds of audited events (platform P-31). */
export type SecurityEventType =
  | 'auth_success'
  | 'auth_failure'
  | 'auth_token_expired'
  | 'auth_token_invalid'
  | 'token_refresh'
  | 'logout'
  | 'api_key_created'
  | 'api_key_revoked'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'authorization_denied'
  | 'rate_limit_exceeded'
  | 'suspicious_activity'
  | 'email_sent'
  | 'email_verified'
  | 'password_changed'
  | 'password_reset_requested'
  | 'password_reset_completed'
  | 'mfa_challenge_issued'
  | 'mfa_verified'
  | 'mfa_failed'
  | 'mfa_recovery_used'
  | 'mfa_recovery_regenerated'
  | 'passkey_enrolled'
  | 'passkey_removed'
  | 'oauth_grant_created'
  | 'oauth_grant_revoked'
  | 'user_updated'
  | 'org_updated'
  | 'org_member_role_changed'
  | 'org_member_removed'
  | 'org_invitation_created'
  | 'org_invitation_revoked'
  | 'org_invitation_accepted'
  | 'graph_member_added'
  | 'graph_member_changed'
  | 'graph_member_removed'
  | 'graph_created'
  | 'graph_deleted'
  | 'financial_transaction'
  | 'admin_action';

/** The origin of a request, as far as the surface knows it. */
export interface RequestFacts {
  readonly ip?: string;
  readonly userAgent?: string;
  /** Method and path template, never the query string. */
  readonly endpoint?: string;
  readonly requestId?: string;
  /** A digest of the client's self-description, for sessions bound to devices (platform A-9). */
  readonly deviceHash?: string;
}

export interface SecurityEvent {
  readonly type: SecurityEventType;
  readonly risk: 'low' | 'medium' | 'high' | 'critical';
  readonly caller?: Caller;
  /** For events without a caller. */
  readonly userId?: string;
  readonly orgId?: string;
  readonly graphId?: string;
  readonly keyPrefix?: string;
  readonly request?: RequestFacts;
  /** Must never contain a password, token or key. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The append-only record of security events (platform P-30). */
export interface SecurityAudit {
  /** Appends in the caller's kernel transaction, so that the row exists if and only if the change does. */
  append(tx: Transaction, event: SecurityEvent): Promise<void>;
  /** Appends in a separate transaction, for refusals, which store nothing else. */
  record(event: SecurityEvent): Promise<void>;
  /** Appends in the background; drops the row with a log line if too many are waiting. */
  recordInBackground(event: SecurityEvent): void;
}

export const securityAudit: Token<SecurityAudit> = createToken('kernel.security-audit');

/** Writes that no request waits for, but shutdown does. */
export interface BackgroundWrites {
  start(what: string, work: () => Promise<void>): void;
  /** Resolves when all started writes have ended. */
  drain(): Promise<void>;
}

export const backgroundWrites: Token<BackgroundWrites> = createToken('kernel.background-writes');

const maxWritesInBackground = 200;
const maxTextCharacters = 500;

class BoundedBackgroundWrites implements BackgroundWrites {
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  start(what: string, work: () => Promise<void>): void {
    if (this.#running.size >= maxWritesInBackground) {
      this.#log.warn('A background write was dropped because too many are waiting.', { what });
      return;
    }
    const run = work()
      .catch((error: unknown) => this.#log.error('A background write failed.', { what, error }))
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

class StoredSecurityAudit implements SecurityAudit {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #background: BackgroundWrites;

  constructor(use: {
    readonly store: Store;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly background: BackgroundWrites;
  }) {
    this.#store = use.store;
    this.#clock = use.clock;
    this.#ids = use.ids;
    this.#background = use.background;
  }

  async append(tx: Transaction, event: SecurityEvent): Promise<void> {
    const { caller, request } = event;
    await tx.query(sql`
      INSERT INTO kernel_security_audit (id, event_type, risk, user_id, org_id, graph_id, ip, user_agent, endpoint,
        request_id, credential, key_prefix, details, at)
      VALUES (${this.#ids.make('sec')}, ${event.type}, ${event.risk}, ${caller?.userId ?? event.userId ?? null},
        ${event.orgId ?? caller?.orgId ?? null}, ${event.graphId ?? null}, ${request?.ip ?? null},
        ${request?.userAgent?.slice(0, maxTextCharacters) ?? null}, ${request?.endpoint ?? null},
        ${request?.requestId ?? null}, ${caller?.credential ?? null}, ${caller?.keyPrefix ?? event.keyPrefix ?? null},
        ${JSON.stringify(event.details ?? {})}::text::jsonb, ${this.#clock.now()})`);
  }

  async record(event: SecurityEvent): Promise<void> {
    await this.#store.transaction('kernel', (tx) => this.append(tx, event));
  }

  recordInBackground(event: SecurityEvent): void {
    this.#background.start(event.type, () => this.record(event));
  }
}

export const auditProviders: readonly Provider[] = [
  provide(backgroundWrites, {
    // Depends on the store although only the writes use it: services stop in reverse order, so the store outlives them.
    services: { log: kernel.log, store: kernel.store },
    create: (use): BackgroundWrites => new BoundedBackgroundWrites(use.log),
    stop: (service) => service.drain(),
  }),
  provide(securityAudit, {
    services: { store: kernel.store, clock: kernel.clock, ids: kernel.ids, background: backgroundWrites },
    create: (use): SecurityAudit => new StoredSecurityAudit(use),
  }),
];
