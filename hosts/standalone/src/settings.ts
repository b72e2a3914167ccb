import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { GivenSettings } from '@pacioli/core/settings';
import { findConfigFile } from './config-file.ts';
import { type BucketSettings, bucketSettings } from './file-store-switches.ts';
import { hostSwitches, logLevels, paymentProviders } from './host-switches.ts';
import { kernelSwitches, readKernelSwitches, withAddress } from './kernel-switches.ts';
import { type ModelSettings, modelSettings } from './model-switches.ts';
import { type PluginSettings, pluginSwitches, readPluginSwitches } from './plugin-switches.ts';
import {
  type EmbedderSettings,
  embedderSettings,
  type SearchIndexSettings,
  searchIndexSettings,
} from './search-switches.ts';
import { StartUpError } from './start-up-error.ts';
import { commaSeparated, truth, wholeNumber } from './switch-values.ts';

/** The settings that come from the environment. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly isDemoOn: boolean;
  /** The file of the deployment; undefined for the standard one. */
  readonly configFile: string | undefined;
  readonly switches: Switches;
  /** The kernel's switches (platform section 20), each `PACIOLI_` and its name in upper snake case. */
  readonly kernel: GivenSettings;
  readonly plugins: PluginSettings;
}

/** The switches of this host. */
export interface Switches {
  readonly jwtSecret: string | undefined;
  /** `smtp://user:password@host:port` or `smtps://…`; without it, mail is written into the data folder. */
  readonly mailUrl: string | undefined;
  readonly mailFrom: string;
  readonly paymentProvider: string;
  /** Both keys of the Stripe account; undefined if payments do not use Stripe. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | undefined;
  /** The databases on graph servers; undefined for the embedded engine. */
  readonly graphServers: GraphServers | undefined;
  readonly isAutoMigrateOn: boolean;
  readonly logLevel: string;
  readonly allowedOrigins: readonly string[];
  readonly isBehindProxy: boolean;
  readonly workerMemoryMegabytes: number;
  /** Undefined for files in the data folder. */
  readonly bucket: BucketSettings | undefined;
  readonly isBucketInPath: boolean;
  /** Undefined without a language model. */
  readonly model: ModelSettings | undefined;
  readonly embedder: EmbedderSettings;
  readonly searchIndex: SearchIndexSettings;
}

/** Databases for graphs, and the user that they share. */
export interface GraphServers {
  readonly databases: readonly { readonly url: string; readonly database: string }[];
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const minJwtSecretBytes = 32;

/** Reads the environment; an invalid value or an unknown `PACIOLI_` name is an error. */
export function readSettings(environment: Environment): Settings {
  const port = wholeNumber('PORT', environment['PORT'] || '8000', 0, 65_535);
  return {
    host: environment['HOST'] || '127.0.0.1',
    port,
    dataDir: resolve(environment['DATA_DIR'] || '.pacioli'),
    databaseUrl: databaseUrl(environment['DATABASE_URL']),
    isDemoOn: truth('DEMO', environment['DEMO'] || 'on'),
    configFile: findConfigFile(process.cwd(), environment['PACIOLI_CONFIG']),
    switches: readSwitches(environment),
    kernel: withAddress(readKernelSwitches(environment), port),
    plugins: readPluginSwitches(environment),
  };
}

function readSwitches(environment: Environment): Switches {
  const known = Object.fromEntries(Object.entries(hostSwitches).map(([name, { standard }]) => [name, standard]));
  for (const [name, value] of Object.entries(environment)) {
    // Developers may start the service from a shell that exports the variables of tests and benchmarks.
    if (!name.startsWith('PACIOLI_') || /^PACIOLI_(TEST|BENCH)_/.test(name)) continue;
    if (kernelSwitches.has(name) || name in pluginSwitches) continue;
    if (!(name in known)) {
      const names = [...Object.keys(known), ...kernelSwitches.keys(), ...Object.keys(pluginSwitches)].sort().join(', ');
      throw new StartUpError(`${name} is not a switch of this version. Known ones: ${names}.`);
    }
    known[name] = value ?? '';
  }
  const text = (name: string): string => known[name] ?? '';
  const level = text('PACIOLI_LOG_LEVEL');
  if (!logLevels.includes(level)) throw new StartUpError(`PACIOLI_LOG_LEVEL must be one of ${logLevels.join(', ')}.`);
  const paymentProvider = text('PACIOLI_BILLING_PROVIDER');
  if (!paymentProviders.includes(paymentProvider)) {
    const names = paymentProviders.join(', ');
    throw new StartUpError(`PACIOLI_BILLING_PROVIDER must be one of ${names}, not "${paymentProvider}".`);
  }
  return {
    jwtSecret: text('PACIOLI_JWT_SECRET') || undefined,
    mailUrl: mailUrl(text('PACIOLI_MAIL_URL')),
    mailFrom: text('PACIOLI_MAIL_FROM'),
    paymentProvider,
    stripe: stripeKeys(text('PACIOLI_STRIPE_SECRET_KEY'), text('PACIOLI_STRIPE_WEBHOOK_SECRET')),
    graphServers: graphServers(
      text('PACIOLI_GRAPH_DATABASES'),
      text('PACIOLI_GRAPH_USER'),
      text('PACIOLI_GRAPH_PASSWORD'),
    ),
    isAutoMigrateOn: truth('PACIOLI_AUTO_MIGRATE', text('PACIOLI_AUTO_MIGRATE')),
    logLevel: level,
    allowedOrigins: commaSeparated(text('PACIOLI_ALLOWED_ORIGINS')),
    isBehindProxy: truth('PACIOLI_BEHIND_PROXY', text('PACIOLI_BEHIND_PROXY')),
    workerMemoryMegabytes: wholeNumber('PACIOLI_WORKER_MEMORY_MB', text('PACIOLI_WORKER_MEMORY_MB'), 256, 1_048_576),
    bucket: bucketSettings(text),
    isBucketInPath: truth('PACIOLI_FILE_STORE_PATH_STYLE', text('PACIOLI_FILE_STORE_PATH_STYLE')),
    model: modelSettings(text),
    embedder: embedderSettings(text),
    searchIndex: searchIndexSettings(text),
  };
}

function stripeKeys(secretKey: string, webhookSecret: string): Switches['stripe'] {
  return secretKey === '' || webhookSecret === '' ? undefined : { secretKey, webhookSecret };
}

/** The driver checks the addresses again. A rebuild needs a second database, so one alone is a mistake. */
function graphServers(addresses: string, user: string, password: string): GraphServers | undefined {
  const listed = commaSeparated(addresses);
  if (listed.length === 0) return undefined;
  const databases = listed.map((address) => {
    const [, url, database = 'neo4j'] =
      /^(bolt(?:\+s|\+ssc)?:\/\/[^/?#@\s]+)(?:\/([A-Za-z0-9.-]+))?\/?$/.exec(address) ?? [];
    if (url !== undefined) return { url, database };
    throw new StartUpError(
      `PACIOLI_GRAPH_DATABASES has "${address.replace(/\/\/[^/]*@/, '//…@')}". An address looks like bolt://host:7687/neo4j, ` +
        'without user or password: these are PACIOLI_GRAPH_USER and PACIOLI_GRAPH_PASSWORD.',
    );
  });
  if (databases.length < 2)
    throw new StartUpError('PACIOLI_GRAPH_DATABASES needs two or more: one for each graph and one for rebuilds.');
  if ((user === '') !== (password === ''))
    throw new StartUpError('PACIOLI_GRAPH_USER and PACIOLI_GRAPH_PASSWORD belong together: set both or neither.');
  return { databases, credentials: user === '' ? undefined : { user, password } };
}

function mailUrl(text: string): string | undefined {
  if (text === '') return undefined;
  if (/^smtps?:\/\//.test(text)) return text;
  throw new StartUpError('PACIOLI_MAIL_URL must look like smtp://user:password@host:587 or smtps://….');
}

function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^postgres(ql)?:\/\//.test(text)) return text;
  throw new StartUpError('DATABASE_URL must look like postgresql://user:password@host:5432/database.');
}

/** Creates the data folder, readable by its owner only. */
export function prepareDataDir(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new StartUpError(
      `The data folder ${folder} cannot be created or written (${reason}). Choose another one with DATA_DIR.`,
    );
  }
}

/** Creates a folder and its parents one by one, because Node's recursive call never ends on some file systems. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('Not a folder.'), { code: 'ENOTDIR' });
    return;
  }
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** The secret that signs sessions: configured, or generated once and stored in the data folder (platform A-6). */
export function jwtSecretOf(settings: Settings): string {
  const configured = settings.switches.jwtSecret;
  if (configured !== undefined) {
    if (Buffer.byteLength(configured) >= minJwtSecretBytes) return configured;
    throw new StartUpError(`PACIOLI_JWT_SECRET is shorter than ${minJwtSecretBytes} bytes. Use a longer random text.`);
  }
  if (settings.databaseUrl !== undefined) {
    throw new StartUpError(
      `Set PACIOLI_JWT_SECRET (${minJwtSecretBytes} bytes or more): all processes on one database must share it.`,
    );
  }
  const file = join(settings.dataDir, 'jwt-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  const kept = readFileSync(file, 'utf8').trim();
  if (Buffer.byteLength(kept) >= minJwtSecretBytes) return kept;
  throw new StartUpError(
    `The secret for session tokens in ${file} is shorter than ${minJwtSecretBytes} bytes. Put back the file, or ` +
      'remove it: a new secret is generated, and all users must sign in again.',
  );
}
