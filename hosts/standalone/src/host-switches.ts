import { modelProviders } from './model-switches.ts';

/** A switch of this host: its default, its meaning and its accepted values. */
export interface HostSwitch {
  readonly standard: string;
  readonly meaning: string;
  /** The accepted values or format; a number states its unit. */
  readonly takes: string;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'];
export const paymentProviders = ['local', 'stripe'];
export const embedders = ['words', 'onnx', 'remote', 'none'];
export const searchIndexes = ['lancedb', 'opensearch', 'none'];
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
  PACIOLI_MODEL_PROVIDER: {
    standard: 'none',
    meaning: 'The provider of language models for AI operators; offline needs no network and follows simple rules.',
    takes: modelProviders.join(', '),
  },
  PACIOLI_MODEL_URL: {
    standard: '',
    meaning: 'The address of an interface that is compatible with the chat interface of OpenAI.',
    takes: 'a URL such as https://models.example.com/v1',
  },
  PACIOLI_MODEL_API_KEY: { standard: '', meaning: 'The key of that interface, if it needs one.', takes: 'a secret' },
  PACIOLI_MODEL_BALANCED: { standard: '', meaning: 'The model that operators use.', takes: 'a name of the interface' },
  PACIOLI_MODEL_ECONOMY: {
    standard: '',
    meaning: 'The model of operators that ask for the profile economy.',
    takes: 'a name of the interface',
  },
  PACIOLI_MODEL_QUALITY: {
    standard: '',
    meaning: 'The model of operators that ask for the profile quality.',
    takes: 'a name of the interface',
  },
  PACIOLI_MODEL_PRICES: {
    standard: '',
    meaning: 'Prices of the models in US cents per million tokens of input, output and, if it differs, cached input.',
    takes: 'prices such as name=300/1500/30, separated by commas',
  },
  PACIOLI_EMBEDDER: {
    standard: 'words',
    meaning:
      'Makes vectors of texts, by which search and memory find near meanings. Only remote sends texts elsewhere.',
    takes: embedders.join(', '),
  },
  PACIOLI_EMBEDDER_MODEL_DIR: {
    standard: '',
    meaning: 'The folder of the model for PACIOLI_EMBEDDER=onnx, with model.onnx and tokenizer.json.',
    takes: 'a path',
  },
  PACIOLI_EMBEDDER_URL: {
    standard: '',
    meaning: 'The API for PACIOLI_EMBEDDER=remote, up to its version; texts are posted to /embeddings below it.',
    takes: 'a URL such as https://api.example.com/v1',
  },
  PACIOLI_EMBEDDER_API_KEY: { standard: '', meaning: 'The key of that API, if it needs one.', takes: 'a secret' },
  PACIOLI_EMBEDDER_MODEL: { standard: '', meaning: 'The model of that API.', takes: 'a name' },
  PACIOLI_EMBEDDER_DIMENSIONS: {
    standard: '',
    meaning: 'The length of the vectors of that model.',
    takes: 'a whole number from 1 to 4096',
  },
  PACIOLI_SEARCH_INDEX: {
    standard: 'lancedb',
    meaning: 'The index of documents and search: in the folder search of the data folder, on a cluster, or none.',
    takes: searchIndexes.join(', '),
  },
  PACIOLI_OPENSEARCH_URL: {
    standard: '',
    meaning: 'The cluster for PACIOLI_SEARCH_INDEX=opensearch.',
    takes: 'a URL such as https://search.example.com:9200',
  },
  PACIOLI_OPENSEARCH_USER: { standard: '', meaning: 'The user of that cluster.', takes: 'a name' },
  PACIOLI_OPENSEARCH_PASSWORD: { standard: '', meaning: 'The password of PACIOLI_OPENSEARCH_USER.', takes: 'a secret' },
  PACIOLI_OPENSEARCH_PREFIX: {
    standard: 'pacioli-',
    meaning: 'The names of the indexes begin with it; deployments that share a cluster have different ones.',
    takes: 'lower-case letters, digits, - and _',
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
