import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A start-up problem that a person can mend; shown as one line without a stack (platform H-4a). */
export class StartUpError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'StartUpError';
    this.exitCode = exitCode;
  }
}

/** Everything that the environment decides. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly isDemoOn: boolean;
  readonly switches: Switches;
}

/** The switches of this version, each `PACIOLI_` and its name in upper snake case. */
export interface Switches {
  readonly jwtSecret: string | undefined;
  readonly isRegistrationOpen: boolean;
  readonly orgGraphsMax: number;
  readonly isAutoMigrateOn: boolean;
  readonly logLevel: string;
  readonly allowedOrigins: readonly string[];
  readonly isBehindProxy: boolean;
  readonly workerMemoryMegabytes: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const jwt_secret_bytes_min = 32;
const log_levels = ['debug', 'info', 'warn', 'error', 'silent'];

/** Reads the environment; a value that cannot be used, and a `PACIOLI_` name that nobody reads, is an error. */
export function readSettings(environment: Environment): Settings {
  return {
    host: environment['HOST'] || '127.0.0.1',
    port: wholeNumber('PORT', environment['PORT'] || '8000', 0, 65_535),
    dataDir: resolve(environment['DATA_DIR'] || '.pacioli'),
    databaseUrl: databaseUrl(environment['DATABASE_URL']),
    isDemoOn: environment['DEMO']?.toLowerCase() !== 'off',
    switches: readSwitches(environment),
  };
}

function readSwitches(environment: Environment): Switches {
  const known: Record<string, string> = {
    PACIOLI_JWT_SECRET: '',
    PACIOLI_REGISTRATION_OPEN: 'true',
    PACIOLI_ORGS_MAX_GRAPHS: '10',
    PACIOLI_AUTO_MIGRATE: 'true',
    PACIOLI_LOG_LEVEL: 'warn',
    PACIOLI_ALLOWED_ORIGINS: '',
    PACIOLI_BEHIND_PROXY: 'false',
    PACIOLI_WORKER_MEMORY_MB: '2048',
    // This version has no request rate limits yet, so the test profile is the only one there is.
    PACIOLI_RATE_LIMITS_PROFILE: 'test',
    PACIOLI_RATE_LIMITS_ENABLED: 'false',
  };
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('PACIOLI_') || name.startsWith('PACIOLI_TEST_')) continue;
    if (!(name in known))
      throw new StartUpError(
        `${name} is not a switch of this version. Known ones: ${Object.keys(known).sort().join(', ')}.`,
      );
    known[name] = value ?? '';
  }
  const text = (name: string): string => known[name] ?? '';
  if (text('PACIOLI_RATE_LIMITS_PROFILE') !== 'test')
    throw new StartUpError('PACIOLI_RATE_LIMITS_PROFILE: only "test" is available in this version.');
  if (truth('PACIOLI_RATE_LIMITS_ENABLED', text('PACIOLI_RATE_LIMITS_ENABLED'))) {
    throw new StartUpError(
      'PACIOLI_RATE_LIMITS_ENABLED: this version has no request rate limits; put them in front of it.',
    );
  }
  const level = text('PACIOLI_LOG_LEVEL');
  if (!log_levels.includes(level)) throw new StartUpError(`PACIOLI_LOG_LEVEL must be one of ${log_levels.join(', ')}.`);
  return {
    jwtSecret: text('PACIOLI_JWT_SECRET') || undefined,
    isRegistrationOpen: truth('PACIOLI_REGISTRATION_OPEN', text('PACIOLI_REGISTRATION_OPEN')),
    orgGraphsMax: wholeNumber('PACIOLI_ORGS_MAX_GRAPHS', text('PACIOLI_ORGS_MAX_GRAPHS'), -1, 1_000_000),
    isAutoMigrateOn: truth('PACIOLI_AUTO_MIGRATE', text('PACIOLI_AUTO_MIGRATE')),
    logLevel: level,
    allowedOrigins: text('PACIOLI_ALLOWED_ORIGINS')
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
    isBehindProxy: truth('PACIOLI_BEHIND_PROXY', text('PACIOLI_BEHIND_PROXY')),
    workerMemoryMegabytes: wholeNumber('PACIOLI_WORKER_MEMORY_MB', text('PACIOLI_WORKER_MEMORY_MB'), 256, 1_048_576),
  };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new StartUpError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

function truth(name: string, text: string): boolean {
  const value = text.toLowerCase();
  if (['true', 'on', '1', 'yes'].includes(value)) return true;
  if (['false', 'off', '0', 'no'].includes(value)) return false;
  throw new StartUpError(`${name} must be true or false, not "${text}".`);
}

function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^postgres(ql)?:\/\//.test(text)) return text;
  throw new StartUpError('DATABASE_URL must look like postgresql://user:password@host:5432/database.');
}

/** Makes the data folder, readable by its owner only. */
export function prepareDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new StartUpError(
      `The data folder ${folder} cannot be made or written (${reason}). Choose another one with DATA_DIR.`,
    );
  }
}

/** The secret that signs sessions: configured, or made once and kept in the data folder (platform A-6). */
export function jwtSecretOf(settings: Settings): string {
  const configured = settings.switches.jwtSecret;
  if (configured !== undefined) {
    if (Buffer.byteLength(configured) >= jwt_secret_bytes_min) return configured;
    throw new StartUpError(
      `PACIOLI_JWT_SECRET is shorter than ${jwt_secret_bytes_min} bytes. Use a longer random text.`,
    );
  }
  const file = join(settings.dataDir, 'jwt-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
}
