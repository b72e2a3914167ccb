import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecurityAudit } from '../audit/security-audit.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { RouteSpec } from '../define/route.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../services/kernel-tokens.ts';
import { createToken, type Token } from '../services/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { kernelCategories, type RateCategory, requestsPerMinute } from './categories.ts';
import type { RateCheck, RateLimiter, RateStanding } from './rate-limiter.ts';

/** What the limits see of a call. */
export interface TrafficCall {
  readonly category: string | null;
  /** Replaces the category's number on this route, and is the only one where it has no category (platform R-6). */
  readonly limit?: RouteSpec<string, never, never, never>['limit'];
  readonly caller: Caller | undefined;
  readonly graph: Graph | undefined;
  readonly isPublic: boolean;
  readonly ip: string;
  readonly endpoint: string;
  readonly requestId: string;
  /** The pass that the caller showed, if any. */
  readonly pass: string | undefined;
}

/** Ceilings over everything that one credential or address asks for in a minute (platform R-6). */
const maxCallsPerKey = 1000;
const maxCallsPerSession = 500;
const maxAnonymousCalls = 10;
/** How often one full bucket is worth an audit row, in milliseconds. */
const auditMs = 60_000;
const maxAuditedBuckets = 10_000;

/** Decides whether a call may go on, and what the answer says about it. */
export class Traffic {
  readonly #limiter: RateLimiter;
  readonly #audit: SecurityAudit;
  readonly #categories: ReadonlyMap<string, RateCategory>;
  readonly #clock: Clock;
  readonly #isOn: boolean;
  /** Lets the host's own calls through, such as those that set up its demo; new in each process. */
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

  /** The categories of this deployment, for the reads that publish them. */
  get categories(): ReadonlyMap<string, RateCategory> {
    return this.#categories;
  }

  /** Counts the call and returns the headers that its answer carries; throws 429 when a limit is reached. */
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
    throw new ServiceError('rate_limited', 'RATE_LIMIT_EXCEEDED', `Rate limit exceeded for ${first.check.label}.`, {
      headers: { ...headers, 'Retry-After': String(first.resetSeconds) },
    });
  }

  #isHost(pass: string | undefined): boolean {
    if (pass === undefined || pass.length !== this.hostPass.length) return false;
    return timingSafeEqual(Buffer.from(pass), Buffer.from(this.hostPass));
  }

  /** The number that holds for this call alone; undefined for what may be asked without end. */
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

/** The header in which the host shows its pass. */
export const hostPassHeader = 'x-pacioli-host-pass';

export const traffic: Token<Traffic> = createToken('kernel.traffic');

/** The category of a route that has only a limit of its own, so that its answers say the same as all others (R-8). */
function ofOneEndpoint(maxCalls: number): RateCategory {
  const numbers = { base: maxCalls, standard: maxCalls, large: maxCalls, xlarge: maxCalls };
  return { key: 'endpoint', label: 'endpoint', isPerGraph: false, ...numbers };
}

/** The column of the table: none for somebody without an account (platform R-3). */
function tierOf(category: RateCategory, caller: Caller | undefined, graph: Graph | undefined): string | undefined {
  if (caller === undefined) return undefined;
  return category.isPerGraph && graph !== undefined && graph.tier !== '' ? graph.tier : 'standard';
}

/** The ceiling over all calls of one credential, or of an address that should have had one (platform R-6). */
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
