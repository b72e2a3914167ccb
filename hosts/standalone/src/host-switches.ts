/** A switch of this host: its default, its meaning and its accepted values. */
export interface HostSwitch {
  readonly standard: string;
  readonly meaning: string;
  /** The accepted values or format; a number states its unit. */
  readonly takes: string;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'];
export const paymentProviders = ['local', 'stripe'];
const truth = 'true or false';

/** The switches of this host by name. */
export const hostSwitches: Readonly<Record<string, HostSwitch>> = {
  PACIOLI_JWT_SECRET: {
    standard: '',
    meaning: 'Signs sessions; without it, a secret is generated in the data folder. Required with DATABASE_URL.',
    takes: 'a random text of 32 bytes or more',
  },
  PACIOLI_CONFIG: {
    standard: '',
    meaning: 'The file with the plugins of this deployment; without it, pacioli.config.ts in this folder, if any.',
    takes: 'a path',
  },
  PACIOLI_AUTO_MIGRATE: {
    standard: 'true',
    meaning: 'Migrates the database when the server starts.',
    takes: truth,
  },
  PACIOLI_LOG_LEVEL: {
    standard: 'warn',
    meaning: 'The lowest level of log lines on standard error.',
    takes: logLevels.join(', '),
  },
  PACIOLI_ALLOWED_ORIGINS: {
    standard: '',
    meaning: 'Origins whose pages may call the service from a browser.',
    takes: 'origins such as https://app.example.com, separated by commas',
  },
  PACIOLI_BEHIND_PROXY: {
    standard: 'false',
    meaning: 'The address of a caller comes from the headers of a reverse proxy.',
    takes: truth,
  },
  PACIOLI_WORKER_MEMORY_MB: {
    standard: '2048',
    meaning: 'The memory limit of the process of one analytical graph.',
    takes: 'megabytes, from 256',
  },
  PACIOLI_BILLING_PROVIDER: {
    standard: 'local',
    meaning: 'The payment provider.',
    takes: paymentProviders.join(', '),
  },
  PACIOLI_STRIPE_SECRET_KEY: { standard: '', meaning: 'The secret key of the Stripe account.', takes: 'a secret' },
  PACIOLI_STRIPE_WEBHOOK_SECRET: {
    standard: '',
    meaning: 'Proves that a notification comes from Stripe.',
    takes: 'a secret',
  },
  PACIOLI_MAIL_URL: {
    standard: '',
    meaning: 'The SMTP server; without it, mail is written to mail.log in the data folder.',
    takes: 'smtp://user:password@host:587 or smtps://…',
  },
  PACIOLI_MAIL_FROM: {
    standard: 'Pacioli <pacioli@localhost>',
    meaning: 'The sender of mail.',
    takes: 'a name and an address',
  },
};
