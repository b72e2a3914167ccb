import { createToken, type Token } from '../container/token.ts';

/**
 * All settings of the kernel, in groups (platform section 20). A host sets some of them; the others keep the defaults
 * below. Only lists, numbers, texts and booleans, so that a host can read them from the environment.
 */
export interface KernelSettings {
  /** The public URL of this deployment, without a trailing slash; the links in mails start with it. */
  readonly publicUrl: string;
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
  /** Tiers that are not available for new graphs; existing graphs keep theirs (platform T-4). */
  readonly graphs: { readonly disabledTiers: readonly string[] };
  readonly rateLimits: { readonly enabled: boolean; readonly profile: 'standard' | 'test' };
  readonly sse: { readonly enabled: boolean; readonly maxPerUser: number };
  readonly operations: {
    readonly retentionDays: number;
    readonly dedupeSeconds: number;
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
  graphs: { disabledTiers: [] },
  rateLimits: { enabled: true, profile: 'standard' },
  sse: { enabled: true, maxPerUser: 5 },
  operations: { retentionDays: 7, dedupeSeconds: 30, leaseSeconds: 30 },
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
  'operations.dedupeSeconds': 0,
  'operations.leaseSeconds': 1,
  'idempotency.ttlHours': 1,
  'credits.overrunPercent': 0,
  'credits.markup': 0.01,
  'credits.usdPerCredit': 0.000_001,
  'audit.retentionDays': 1,
  'usage.retentionDays': 1,
};

/** Merges the host's settings over the defaults. Throws a readable message for an invalid number. */
export function settingsOf(given: GivenSettings = {}): KernelSettings {
  const groups = Object.entries(defaultSettings).map(([group, defaults]) => {
    const said: unknown = given[group as keyof KernelSettings]; // Iterates over the keys of the defaults.
    return [
      group,
      typeof defaults === 'object' ? { ...defaults, ...(said as object | undefined) } : (said ?? defaults),
    ];
  });
  for (const [group, values] of groups) requireLeast(String(group), values);
  const settings = Object.freeze(Object.fromEntries(groups) as KernelSettings); // Has every group of the defaults.
  // A replay reads the record of the first request.
  if (settings.idempotency.ttlHours > settings.operations.retentionDays * 24)
    throw new Error('The setting idempotency.ttlHours must not be longer than operations.retentionDays.');
  return settings;
}

function requireLeast(group: string, values: unknown): void {
  if (typeof values !== 'object' || values === null) return;
  for (const [name, value] of Object.entries(values)) {
    const bound = least[`${group}.${name}`];
    if (typeof value !== 'number' || (bound !== undefined && value >= bound)) continue;
    const must = bound === undefined ? 'has no declared minimum' : `must be at least ${bound}, not ${value}`;
    throw new Error(`The setting ${group}.${name} ${must}.`);
  }
}
