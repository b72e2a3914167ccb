/** A switch of this host: its default, its meaning and its accepted values. */
export interface HostSwitch {
  readonly standard: string;
  readonly meaning: string;
  /** The accepted values or format; a number states its unit. */
  readonly takes: string;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'];
export const paymentProviders = ['local', 'stripe'];
export const searchIndexes = ['lancedb', 'none'];
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
  PACIOLI_FILE_STORE_URL: {
    standard: '',
    meaning: 'The bucket for uploads and backups; without it, they are in the folder files of the data folder.',
    takes: 's3://bucket or s3://bucket/prefix',
  },
  PACIOLI_FILE_STORE_REGION: { standard: 'us-east-1', meaning: 'The region of the bucket.', takes: 'a region' },
  PACIOLI_FILE_STORE_ENDPOINT: {
    standard: '',
    meaning: 'The address of an object store that is compatible with S3; without it, that of AWS in the region.',
    takes: 'a URL such as https://objects.example.com',
  },
  PACIOLI_FILE_STORE_PUBLIC_ENDPOINT: {
    standard: '',
    meaning: 'The address of the object store in the URLs for clients, if it is another one for them.',
    takes: 'a URL such as https://objects.example.com',
  },
  PACIOLI_FILE_STORE_PATH_STYLE: {
    standard: 'false',
    meaning: 'The bucket is part of the path instead of the host name, as many compatible stores require.',
    takes: truth,
  },
  PACIOLI_FILE_STORE_ACCESS_KEY_ID: {
    standard: '',
    meaning: 'The access key of the object store; without it, the AWS variables or the role of the machine are used.',
    takes: 'an id',
  },
  PACIOLI_FILE_STORE_SECRET_ACCESS_KEY: {
    standard: '',
    meaning: 'The secret of that access key.',
    takes: 'a secret',
  },
  PACIOLI_GRAPH_DATABASES: {
    standard: '',
    meaning:
      'Databases on Neo4j servers for graphs, one for each graph and one more; without them, graphs are embedded in the data folder.',
    takes: 'addresses such as bolt://host:7687/neo4j, separated by commas',
  },
  PACIOLI_GRAPH_USER: { standard: '', meaning: 'The user on the servers of PACIOLI_GRAPH_DATABASES.', takes: 'a name' },
  PACIOLI_GRAPH_PASSWORD: { standard: '', meaning: 'The password of PACIOLI_GRAPH_USER.', takes: 'a secret' },
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
  PACIOLI_SEARCH_INDEX: {
    standard: 'lancedb',
    meaning: 'The index of documents and search: embedded in the folder search of the data folder, or none.',
    takes: searchIndexes.join(', '),
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
