import type { KernelSettings } from './kernel-settings.ts';

/** A switch for the person who sets it. A number says in which unit it is, a text what it may be. */
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

const url = 'a URL without a slash at its end';

/** Every switch of the kernel in words; one without words does not compile. */
export const settingMeanings: Meanings = {
  publicUrl: { meaning: 'Where people reach this deployment; the links in mails start with it.', values: url },
  registration: { open: { meaning: 'Anybody may register; off, people come by invitation only.' } },
  email: {
    verification: {
      meaning: 'New users verify their address; auto asks for it exactly where mail reaches people.',
      values: ['auto', 'on', 'off'],
    },
    restrictUnverified: {
      meaning: 'Users with an unverified address create no graph, invite nobody and subscribe to nothing.',
    },
  },
  auth: {
    password: { meaning: 'People may sign in with a password.' },
    passkeys: { meaning: 'People may sign in with passkeys, and add them.' },
    mfaEnforcement: { meaning: 'Owners and admins of organizations need a passkey as a second factor.' },
    deviceBinding: { meaning: 'A session holds only in the browser that opened it.' },
    revokeKeysOnReset: { meaning: 'A reset of the password also revokes the API keys of the user.' },
    productNames: {
      meaning: 'Names that a password must not be built on.',
      values: 'words, separated by commas',
    },
  },
  webauthn: {
    rpId: { meaning: 'The domain that passkeys belong to; empty means that of the public URL.', values: 'a domain' },
    rpName: { meaning: 'The name that a browser shows when it asks for a passkey.', values: 'a name' },
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
    showInvitationTokens: { meaning: 'The answer shows the token of an invitation; for tests only.' },
    maxGraphs: { meaning: 'Graphs that an organization may have; -1 is without limit.', unit: 'graphs' },
  },
  graphs: {
    disabledTiers: {
      meaning: 'Tiers that new graphs cannot have; graphs that have one keep it.',
      values: 'names of tiers, separated by commas',
    },
  },
  taxonomy: { authoringEnabled: { meaning: 'People may author reporting extensions and vocabularies of their own.' } },
  billing: {
    enabled: { meaning: 'Plans are paid for; off, everything may be set up without a payment.' },
    provider: { meaning: 'The payment provider.', values: ['local', 'stripe'] },
  },
  rateLimits: {
    enabled: { meaning: 'Requests are limited by user, key and address.' },
    profile: { meaning: 'The set of limits; test is for test suites, which ask faster.', values: ['standard', 'test'] },
  },
  sse: {
    enabled: { meaning: 'Operations can be followed over event streams.' },
    maxPerUser: { meaning: 'Event streams that one user may have open at a time.', unit: 'streams' },
  },
  operations: {
    retentionDays: { meaning: 'How long the status and result of an operation can be read.', unit: 'days' },
    dedupeSeconds: { meaning: 'How long an equal second request joins the first one.', unit: 'seconds' },
    leaseSeconds: { meaning: 'How long a worker that says nothing keeps its runs.', unit: 'seconds' },
  },
  idempotency: { ttlHours: { meaning: 'How long an idempotency key answers with its first result.', unit: 'hours' } },
  credits: {
    overrunPercent: {
      meaning: 'How far below zero a running call may take a credit pool.',
      unit: 'percent of its allocation',
    },
    markup: { meaning: 'What the price of a vendor is multiplied by.', unit: 'a factor' },
    usdPerCredit: { meaning: 'The price of one credit.', unit: 'US dollars' },
  },
  audit: { retentionDays: { meaning: 'How long audit rows are kept.', unit: 'days' } },
  usage: { retentionDays: { meaning: 'How long usage events are kept.', unit: 'days' } },
  status: { showPlugins: { meaning: 'The status route and the front page name the plugins and their versions.' } },
  metrics: {
    enabled: { meaning: 'The route /metrics has numbers for a Prometheus server.' },
    token: {
      meaning: 'The token for /metrics; without one, only callers on this machine read it.',
      values: 'a secret',
    },
  },
};
