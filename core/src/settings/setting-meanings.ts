import type { KernelSettings } from './kernel-settings.ts';

/** The documentation of a setting. A number states its unit, a text its allowed values. */
export type SettingMeaning<Value = unknown> = { readonly meaning: string } & (Value extends number
  ? { readonly unit: string }
  : Value extends boolean
    ? object
    : { readonly values: string | readonly string[] });

type Meanings = {
  readonly [G in keyof KernelSettings]: KernelSettings[G] extends object
    ? { readonly [K in keyof KernelSettings[G]]: SettingMeaning<KernelSettings[G][K]> }
    : SettingMeaning<KernelSettings[G]>;
};

const url = 'a URL without a trailing slash';

/** The documentation of every setting of the kernel; a missing entry does not compile. */
export const settingMeanings: Meanings = {
  publicUrl: { meaning: 'The public URL of this deployment; the links in mails start with it.', values: url },
  prefix: {
    meaning: 'The path below which the service is mounted; its links contain it. Not part of the public URL.',
    values: 'a path such as /books; empty means the root',
  },
  registration: { open: { meaning: 'Anybody may register; if off, registration requires an invitation.' } },
  email: {
    verification: {
      meaning: 'New users must verify their address; auto requires it if mail reaches people.',
      values: ['auto', 'on', 'off'],
    },
    restrictUnverified: {
      meaning: 'Users with an unverified address cannot create graphs, invite or subscribe.',
    },
  },
  auth: {
    password: { meaning: 'People may sign in with a password.' },
    passkeys: { meaning: 'People may sign in with passkeys, and add them.' },
    mfaEnforcement: { meaning: 'Owners and admins of organizations need a passkey as a second factor.' },
    deviceBinding: { meaning: 'A session is valid only in the browser that opened it.' },
    revokeKeysOnReset: { meaning: 'A password reset also revokes the API keys of the user.' },
    productNames: {
      meaning: 'Names that a password must not be built on.',
      values: 'words, separated by commas',
    },
  },
  webauthn: {
    rpId: { meaning: 'The domain of the passkeys; empty means that of the public URL.', values: 'a domain' },
    rpName: { meaning: 'The name that a browser shows when it requests a passkey.', values: 'a name' },
    origins: {
      meaning: 'Origins that may use passkeys; empty means that of the public URL.',
      values: 'origins such as https://app.example.com, separated by commas',
    },
  },
  bridge: {
    apps: {
      meaning: 'Other apps of this deployment that sessions can be handed over to.',
      values: 'name=https://base, separated by commas',
    },
  },
  orgs: {
    invitations: { meaning: 'Owners and admins may invite people into their organization.' },
    showInvitationTokens: { meaning: 'The response includes the token of an invitation; for tests only.' },
    maxGraphs: { meaning: 'The maximum number of graphs of an organization; -1 means unlimited.', unit: 'graphs' },
  },
  graphs: {
    disabledTiers: {
      meaning: 'Tiers that are not available for new graphs; existing graphs keep theirs.',
      values: 'names of tiers, separated by commas',
    },
    autoRefresh: {
      meaning: 'A stale graph of an entity is materialized after 30 seconds without a write, at most every 5 minutes.',
    },
  },
  rateLimits: {
    enabled: { meaning: 'Requests are rate-limited by user, key and address.' },
    profile: { meaning: 'The set of limits; test is for test suites.', values: ['standard', 'test'] },
  },
  sse: {
    enabled: { meaning: 'Operations can be followed over event streams.' },
    maxPerUser: { meaning: 'The maximum number of open event streams per user.', unit: 'streams' },
  },
  operations: {
    retentionDays: { meaning: 'The retention of the status and result of an operation.', unit: 'days' },
    dedupeSeconds: { meaning: 'The time within which an equal request joins the first one.', unit: 'seconds' },
    maxRunningPerGraph: {
      meaning: 'The operations of one graph, and as many reads, that run at once in a process; more wait.',
      unit: 'calls',
    },
    maxWaitingPerGraph: {
      meaning: 'The operations or reads of one graph that wait for their turn; more are refused (429).',
      unit: 'calls',
    },
    leaseSeconds: {
      meaning: 'The lease of a worker on a run, after which another worker takes over.',
      unit: 'seconds',
    },
  },
  idempotency: { ttlHours: { meaning: 'The lifetime of an idempotency key.', unit: 'hours' } },
  credits: {
    overrunPercent: {
      meaning: 'How far below zero a running call may take a credit pool.',
      unit: 'percent of its allocation',
    },
    markup: { meaning: 'The factor on the price of a vendor.', unit: 'a factor' },
    usdPerCredit: { meaning: 'The price of one credit.', unit: 'US dollars' },
  },
  audit: { retentionDays: { meaning: 'The retention of audit rows.', unit: 'days' } },
  usage: { retentionDays: { meaning: 'The retention of usage events.', unit: 'days' } },
  status: { showPlugins: { meaning: 'The status route and the front page list the plugins and their versions.' } },
  metrics: {
    enabled: { meaning: 'The route /metrics serves metrics for a Prometheus server.' },
    token: {
      meaning: 'The token for /metrics; without one, only callers on this machine can read it.',
      values: 'a secret',
    },
  },
};
