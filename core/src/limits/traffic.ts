import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecurityAudit } from '../audit/security-audit.ts';
import { createToken, type Token } from '../container/token.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { RouteSpec } from '../define/route.ts';
import { rateLimited } from '../errors/service-error.ts';
import type { Clock } from '../services/kernel-tokens.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { kernelCategories, type RateCategory, requestsPerMinute } from './categories.ts';
import type { RateCheck, RateLimiter, RateStanding } from './rate-limiter.ts';

/** The facts of a call that rate limits depend on. */
export interface TrafficCall {
  readonly category: string | null;
  /** Replaces the category's number on this route; the only limit of a route without a category (platform R-6). */
  readonly limit?: RouteSpec<string, never, never, never>['limit'];
  readonly caller: Caller | undefined;
  readonly graph: Graph | undefined;
  readonly isPublic: boolean;
  readonly ip: string;
  readonly endpoint: string;
  readonly requestId: string;
  /** The host pass that the caller sent, if any. */
  readonly pass: string | undefined;
}

/** Overall limits of calls per minute for one credential or address (platform R-6). */
const maxCallsPerKey = 1000;
const maxCallsPerSession = 500;
const maxAnonymousCalls = 10;
/** The minimum interval between audit rows for one exceeded limit, in milliseconds. */
const auditMs = 60_000;
const maxAuditedBuckets = 10_000;

/** Applies the rate limits to a call and computes its response headers. */
export class Traffic {
  readonly #limiter: RateLimiter;
  readonly #audit: SecurityAudit;
  readonly #categories: ReadonlyMap<string, RateCategory>;
  readonly #clock: Clock;
  readonly #isOn: boolean;
  /** Exempts the host's own calls, such as those that set up its demo; random for each process. */
  readonly hostPass = randomBytes(32).toString('base64url');
  readonly #audited = new Map<string, number>();

  constructor(use: {
    readonly limiter: RateLimiter;
    readonly audit: SecurityAudit;
    readonly categories: readonly RateCategory[];
    readonly settings: KernelSettings;
    readonly clock: Clock;
  }) {
    this.#limiter = use.limiter;
    this.#audit = use.audit;
    this.#categories = new Map([...kernelCategories, ...use.categories.map((entry) => [entry.key, entry] as const)]);
    this.#clock = use.clock;
    this.#isOn = use.settings.rateLimits.enabled && use.settings.rateLimits.profile !== 'test';
  }

  /** The rate categories of this deployment, for the reads that publish them. */
  get categories(): ReadonlyMap<string, RateCategory> {
    return this.#categories;
  }

  /** Counts the call and returns its response headers; throws 429 if a limit is reached. */
  async admit(call: TrafficCall): Promise<Readonly<Record<string, string>>> {
    if (!this.#isOn || this.#isHost(call.pass)) return {};
    const own = this.#ownCheck(call);
    if (own === undefined) return {};
    const ceiling = ceilingOf(call);
    const [first] = await this.#limiter.admit(ceiling === undefined ? [own] : [own, ceiling]);
    if (first === undefined) return {};
    const headers = headersOf(first, this.#clock.now());
    if (first.isAdmitted) return headers;
    this.#noteRefusal(call, first.check);
    const message = `Rate limit exceeded for ${first.check.label}.`;
    throw rateLimited('RATE_LIMIT_EXCEEDED', message, first.resetSeconds, headers);
  }

  #isHost(pass: string | undefined): boolean {
    if (pass === undefined || pass.length !== this.hostPass.length) return false;
    return timingSafeEqual(Buffer.from(pass), Buffer.from(this.hostPass));
  }

  /** Returns the check of this call's category or route; undefined for unlimited routes. */
  #ownCheck(call: TrafficCall): RateCheck | undefined {
    const { caller, graph, limit } = call;
    const category = this.#categoryOf(call);
    if (category === undefined) return undefined;
    const tier = tierOf(category, caller, graph);
    const facts = {
      category: category.key,
      tier: tier ?? 'base',
      label: `${category.label} operations`,
      failsClosed: category.key === 'auth',
    };
    if (limit !== undefined) {
      const subject = limit.per === 'ip' || caller === undefined ? `ip:${call.ip}` : caller.userId;
      return {
        ...facts,
        bucket: `${call.endpoint} ${subject}`,
        maxCalls: limit.maxCalls,
        seconds: limit.seconds,
      };
    }
    const place = category.isPerGraph && graph !== undefined ? ` ${graph.parentId ?? graph.id}` : '';
    return {
      ...facts,
      bucket: `${category.key} ${caller?.userId ?? `ip:${call.ip}`}${place}`,
      maxCalls: requestsPerMinute(category, tier),
      seconds: 60,
    };
  }

  #categoryOf({ category: key, limit }: TrafficCall): RateCategory | undefined {
    if (key === null) return limit === undefined ? undefined : ofOneEndpoint(limit.maxCalls);
    const category = this.#categories.get(key);
    if (category === undefined) throw new Error(`No rate category is called "${key}".`);
    return category;
  }

  #noteRefusal(call: TrafficCall, check: RateCheck): void {
    const now = this.#clock.now().getTime();
    if (now - (this.#audited.get(check.bucket) ?? 0) < auditMs) return;
    if (this.#audited.size >= maxAuditedBuckets) this.#audited.clear();
    this.#audited.set(check.bucket, now);
    this.#audit.recordInBackground({
      type: 'rate_limit_exceeded',
      risk: 'medium',
      ...(call.caller === undefined ? {} : { caller: call.caller }),
      ...(call.graph === undefined ? {} : { graphId: call.graph.id }),
      request: { ip: call.ip, endpoint: call.endpoint, requestId: call.requestId },
      details: { category: check.category, limit: check.maxCalls, seconds: check.seconds },
    });
  }
}

/** The header with the host pass. */
export const hostPassHeader = 'x-pacioli-host-pass';

export const traffic: Token<Traffic> = createToken('kernel.traffic');

/** The category of a route with only its own limit, so that its responses have the same headers (platform R-8). */
function ofOneEndpoint(maxCalls: number): RateCategory {
  const numbers = { base: maxCalls, standard: maxCalls, large: maxCalls, xlarge: maxCalls };
  return { key: 'endpoint', label: 'endpoint', isPerGraph: false, ...numbers };
}

/** Returns the column of the table; undefined for an anonymous caller (platform R-3). */
function tierOf(category: RateCategory, caller: Caller | undefined, graph: Graph | undefined): string | undefined {
  if (caller === undefined) return undefined;
  return category.isPerGraph && graph !== undefined && graph.tier !== '' ? graph.tier : 'standard';
}

/** Returns the overall limit of one credential, or of an address that lacks a required one (platform R-6). */
function ceilingOf(call: TrafficCall): RateCheck | undefined {
  const facts = { seconds: 60, label: 'all operations', category: 'all', tier: 'all', failsClosed: false };
  const { caller } = call;
  if (caller === undefined) {
    return call.isPublic
      ? undefined
      : { ...facts, bucket: `all ip:${call.ip}`, maxCalls: maxAnonymousCalls, tier: 'base' };
  }
  return caller.credential === 'api_key'
    ? { ...facts, bucket: `all key:${caller.keyId}`, maxCalls: maxCallsPerKey }
    : { ...facts, bucket: `all ${caller.userId}`, maxCalls: maxCallsPerSession };
}

function headersOf(standing: RateStanding, now: Date): Record<string, string> {
  const { check, remaining, resetSeconds } = standing;
  return {
    'X-RateLimit-Limit': String(check.maxCalls),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(now.getTime() / 1000) + resetSeconds),
    'X-RateLimit-Category': check.category,
    'X-RateLimit-Tier': check.tier,
  };
}
