import { createToken, type Token } from '../container/token.ts';

/**
 * All settings of the kernel, in groups (platform section 20). A host sets some of them; the others keep the defaults
 * below. Only lists, numbers, texts and booleans, so that a host can read them from the environment.
 */
export interface KernelSettings {
  /** The public URL of this deployment, without a trailing slash; the links in mails start with it. */
  readonly publicUrl: string;
  /** The path below which the service is mounted, such as `/books` (platform E-27); empty mounts it at the root. */
  readonly prefix: string;
  readonly registration: { readonly open: boolean };
  readonly email: {
    /** `auto` requires verification if and only if the mail port reaches people (platform A-15). */
    readonly verification: 'auto' | 'on' | 'off';
    /** Users with an unverified address cannot create graphs, invite or subscribe. */
    readonly restrictUnverified: boolean;
  };
  readonly auth: {
    readonly password: boolean;
    readonly passkeys: boolean;
    /** Owners and admins of organizations are required to have a passkey (platform section 3). */
    readonly mfaEnforcement: boolean;
    readonly deviceBinding: boolean;
    /** A password reset also revokes the API keys (platform A-19). */
    readonly revokeKeysOnReset: boolean;
    /** Product names that a password must not be built on (platform A-25). */
    readonly productNames: readonly string[];
  };
  readonly webauthn: {
    /**
     * The domain of the passkeys and the origins that may use them (platform M-11); by default those of `publicUrl`.
     * Changing the domain invalidates all passkeys.
     */
    readonly rpId: string;
    readonly rpName: string;
    readonly origins: readonly string[];
  };
  /** Other apps of this deployment, each `name=https://base`; sessions can be handed over to them (platform F-5). */
  readonly bridge: { readonly apps: readonly string[] };
  readonly orgs: {
    readonly invitations: boolean;
    /** Includes the token of an invitation in the response; for tests only (platform U-24). */
    readonly showInvitationTokens: boolean;
    /** -1 means unlimited (platform U-9). */
    readonly maxGraphs: number;
  };
  readonly graphs: {
    /** Tiers that are not available for new graphs; existing graphs keep theirs (platform T-4). */
    readonly disabledTiers: readonly string[];
    /** Stale entity graphs are materialized when they have not been written for a while (graphs M-33). */
    readonly autoRefresh: boolean;
  };
  readonly rateLimits: { readonly enabled: boolean; readonly profile: 'standard' | 'test' };
  readonly sse: { readonly enabled: boolean; readonly maxPerUser: number };
  readonly operations: {
    readonly retentionDays: number;
    readonly dedupeSeconds: number;
    /** Operations of one graph, and as many reads, that run at once in a process; more wait (platform N-33). */
    readonly maxRunningPerGraph: number;
    /** Operations of one graph, and as many reads, that wait for their turn; more are refused (platform N-34). */
    readonly maxWaitingPerGraph: number;
    /** The lifetime of a worker's lease on its runs without a renewal (platform L-8). */
    readonly leaseSeconds: number;
  };
  readonly idempotency: { readonly ttlHours: number };
  readonly credits: {
    /** The maximum debt of a pool from a running call, in percent of its allocation (platform C-8). */
    readonly overrunPercent: number;
    /** The factor on a vendor's price (platform C-6). */
    readonly markup: number;
    readonly usdPerCredit: number;
  };
  readonly audit: { readonly retentionDays: number };
  /** The retention of usage events (platform T-7). */
  readonly usage: { readonly retentionDays: number };
  /** The status route lists the plugins (platform H-2). */
  readonly status: { readonly showPlugins: boolean };
  /** Metrics for a Prometheus server; without a token, only callers on this machine can read them. */
  readonly metrics: { readonly enabled: boolean; readonly token: string };
}

export const kernelSettings: Token<KernelSettings> = createToken('kernel.settings');

/** The settings that a host overrides: any of any group. */
export type GivenSettings = {
  readonly [G in keyof KernelSettings]?: KernelSettings[G] extends object
    ? { readonly [K in keyof KernelSettings[G]]?: KernelSettings[G][K] }
    : KernelSettings[G];
};

export const defaultSettings: KernelSettings = {
  publicUrl: 'http://localhost:8000',
  prefix: '',
  registration: { open: true },
  email: { verification: 'auto', restrictUnverified: true },
  auth: {
    password: true,
    passkeys: true,
    mfaEnforcement: false,
    deviceBinding: false,
    revokeKeysOnReset: true,
    productNames: ['pacioli'],
  },
  webauthn: { rpId: '', rpName: 'Pacioli', origins: [] },
  bridge: { apps: [] },
  orgs: { invitations: false, showInvitationTokens: false, maxGraphs: 10 },
  graphs: { disabledTiers: [], autoRefresh: true },
  rateLimits: { enabled: true, profile: 'standard' },
  sse: { enabled: true, maxPerUser: 5 },
  operations: {
    retentionDays: 7,
    dedupeSeconds: 30,
    maxRunningPerGraph: 4,
    maxWaitingPerGraph: 200,
    leaseSeconds: 30,
  },
  idempotency: { ttlHours: 24 },
  credits: { overrunPercent: 10, markup: 10 / 3, usdPerCredit: 1 / 300 },
  audit: { retentionDays: 400 },
  usage: { retentionDays: 400 },
  status: { showPlugins: true },
  metrics: { enabled: true, token: '' },
};

/** The minimum values of numbers; a lower one would delete required data, or never end. */
const least: Readonly<Record<string, number>> = {
  'orgs.maxGraphs': -1,
  'sse.maxPerUser': 1,
  'operations.retentionDays': 1,
  'operations.maxRunningPerGraph': 1,
  'operations.maxWaitingPerGraph': 1,
  'operations.dedupeSeconds': 0,
  'operations.leaseSeconds': 1,
  'idempotency.ttlHours': 1,
  'credits.overrunPercent': 0,
  'credits.markup': 0.01,
  'credits.usdPerCredit': 0.000_001,
  'audit.retentionDays': 1,
  'usage.retentionDays': 1,
};

/** Merges the host's settings over the defaults. Throws a readable message for settings that are not valid. */
export function settingsOf(given: GivenSettings = {}): KernelSettings {
  const problems = settingProblems(given);
  if (problems.length > 0) throw new Error(problems.join(' '));
  return merged(given);
}

/** The URL of the service, without a trailing slash; its absolute links start with it (platform E-27). */
export function serviceUrl({ publicUrl, prefix }: Pick<KernelSettings, 'publicUrl' | 'prefix'>): string {
  return `${publicUrl}${prefix}`;
}

/**
 * The address of the service in links for a caller: the configured public one, or while that is only the loopback
 * address, the one that the caller used.
 */
export function urlForCaller(
  settings: Pick<KernelSettings, 'publicUrl' | 'prefix'>,
  origin: string | undefined,
): string {
  const isLocal = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(settings.publicUrl);
  return isLocal && origin !== undefined ? `${origin}${settings.prefix}` : serviceUrl(settings);
}

function merged(given: GivenSettings): KernelSettings {
  const groups = Object.entries(defaultSettings).map(([group, defaults]) => {
    const said: unknown = given[group as keyof KernelSettings]; // Iterates over the keys of the defaults.
    return [
      group,
      typeof defaults === 'object' ? { ...defaults, ...Object.fromEntries(statedIn(said ?? {})) } : (said ?? defaults),
    ];
  });
  return Object.freeze(Object.fromEntries(groups) as KernelSettings); // Has every group of the defaults.
}

/** Lists the settings that do not exist, have another type than their default, or are too low. */
export function settingProblems(given: GivenSettings = {}): readonly string[] {
  if (kindOf(given) !== 'an object') return ['The settings must be an object.'];
  const problems = fieldProblems('', defaultSettings, given);
  if (problems.length > 0) return problems;
  const { audit, idempotency, operations, prefix } = merged(given);
  if (!/^(\/[A-Za-z0-9_-]+)*$/.test(prefix)) {
    return [`The setting prefix must be a path such as "/books", without a slash at its end, not "${prefix}".`];
  }
  // A replay reads the record and the audit row of the first request.
  const isTooLong = idempotency.ttlHours > operations.retentionDays * 24;
  const isTooShort = audit.retentionDays < operations.retentionDays;
  return [
    ...(isTooLong ? ['The setting idempotency.ttlHours must not be longer than operations.retentionDays.'] : []),
    ...(isTooShort ? ['The setting audit.retentionDays must not be shorter than operations.retentionDays.'] : []),
  ];
}

function fieldProblems(prefix: string, defaults: object, given: object): readonly string[] {
  const known = new Map<string, unknown>(Object.entries(defaults));
  return statedIn(given).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const standard = known.get(key);
    if (standard === undefined) return [`The setting ${name} does not exist.`];
    if (kindOf(value) !== kindOf(standard))
      return [`The setting ${name} must be ${kindOf(standard)}, not ${JSON.stringify(value)}.`];
    if (kindOf(standard) === 'an object') return fieldProblems(`${name}.`, standard as object, value as object);
    return typeof value === 'number' ? numberProblems(name, value) : [];
  });
}

/** A host may state a setting as undefined, which leaves its default. */
function statedIn(given: object): readonly (readonly [string, unknown])[] {
  return Object.entries(given).filter(([, value]) => value !== undefined);
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value === 'string' ? 'text' : typeof value}`;
}

function numberProblems(name: string, value: number): readonly string[] {
  const bound = least[name];
  if (bound === undefined) return [`The setting ${name} has no declared minimum.`];
  return value >= bound ? [] : [`The setting ${name} must be at least ${bound}, not ${value}.`];
}
