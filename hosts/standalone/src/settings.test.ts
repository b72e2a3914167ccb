import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jwtSecretOf, prepareDataDir, readSettings } from './settings.ts';
import { StartUpError } from './start-up-error.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The message of the start-up error that the action throws; any other outcome fails the test. */
function mistakeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof StartUpError) return error.message;
    throw error;
  }
  throw new Error('There was no mistake.');
}

describe('readSettings', () => {
  it.each<readonly [Readonly<Record<string, string>>, RegExp]>([
    [{ PORT: 'eighty' }, /^PORT must be a whole number from 0 to 65535, not "eighty"\.$/],
    [{ PORT: '65536' }, /^PORT must be a whole number/],
    [{ PACIOLI_NO_SUCH_SWITCH: '1' }, /^PACIOLI_NO_SUCH_SWITCH is not a switch.* PACIOLI_JWT_SECRET,/],
    [{ DEMO: 'zzz' }, /^DEMO must be true or false/],
    [{ PACIOLI_LOG_LEVEL: 'loud' }, /^PACIOLI_LOG_LEVEL must be one of debug, info/],
    [{ PACIOLI_MAIL_URL: 'mail.example.org' }, /^PACIOLI_MAIL_URL must look like smtp:/],
    [{ PACIOLI_PUBLIC_URL: 'books' }, /^PACIOLI_PUBLIC_URL must be a URL/],
    [{ PACIOLI_WORKER_MEMORY_MB: '255' }, /^PACIOLI_WORKER_MEMORY_MB must be a whole number from 256/],
    [{ PACIOLI_RATE_LIMITS_PROFILE: 'loud' }, /^PACIOLI_RATE_LIMITS_PROFILE must be one of standard, test/],
    [{ PACIOLI_AUDIT_RETENTION_DAYS: '-1' }, /^The setting audit\.retentionDays must be at least 1/],
    [{ PACIOLI_ORGS_MAX_GRAPHS: 'many' }, /^PACIOLI_ORGS_MAX_GRAPHS must be a number/],
    [{ PACIOLI_GRAPH_DATABASES: 'http://a:7474,bolt://b' }, /^PACIOLI_GRAPH_DATABASES has "http:\/\/a:7474"/],
    [{ PACIOLI_GRAPH_DATABASES: 'bolt://me:secret@a,bolt://b' }, /bolt:\/\/…@a.*without user or password/],
    [{ PACIOLI_GRAPH_DATABASES: 'bolt://a' }, /^PACIOLI_GRAPH_DATABASES needs two or more/],
    [{ PACIOLI_GRAPH_DATABASES: 'bolt://a,bolt://b', PACIOLI_GRAPH_USER: 'x' }, /belong together/],
    [{ PACIOLI_EMBEDDER: 'magic' }, /^PACIOLI_EMBEDDER must be one of words, onnx, remote, none/],
    [{ PACIOLI_EMBEDDER: 'onnx' }, /^PACIOLI_EMBEDDER=onnx needs PACIOLI_EMBEDDER_MODEL_DIR/],
    [{ PACIOLI_EMBEDDER_MODEL_DIR: '/m' }, /^PACIOLI_EMBEDDER_MODEL_DIR has a meaning only with PACIOLI_EMBEDDER=onnx/],
    [{ PACIOLI_EMBEDDER: 'onnx', PACIOLI_EMBEDDER_URL: 'https://a' }, /only with PACIOLI_EMBEDDER=remote/],
    [{ PACIOLI_EMBEDDER: 'remote' }, /^PACIOLI_EMBEDDER=remote needs PACIOLI_EMBEDDER_MODEL/],
    [{ PACIOLI_SEARCH_INDEX: 'magic' }, /^PACIOLI_SEARCH_INDEX must be one of/],
    [{ PACIOLI_SEARCH_INDEX: 'opensearch' }, /needs PACIOLI_OPENSEARCH_URL/],
    [{ PACIOLI_OPENSEARCH_URL: 'https://a:9200' }, /only with PACIOLI_SEARCH_INDEX=opensearch/],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /^DATABASE_URL must look like postgresql:/],
  ])('rejects %o with one line that says what to do', (environment, message) => {
    const mistake = mistakeOf(() => readSettings(environment));
    expect(mistake).toMatch(message);
    expect(mistake).not.toContain('\n');
  });

  it('ignores the variables of tests and benchmarks', () => {
    expect(readSettings({ PACIOLI_BENCH_FORMANCE: '/opt/ledger', PACIOLI_TEST_STORES: 'all' })).toEqual(
      readSettings({}),
    );
  });
});

describe('the switches of the file store', () => {
  const bucketOf = (environment: Readonly<Record<string, string>>) => readSettings(environment).switches.bucket;
  const url = 's3://pacioli-files/books/one';

  it('name a bucket, and leave out what is not given', () => {
    expect(bucketOf({})).toBeUndefined();
    expect(bucketOf({ PACIOLI_FILE_STORE_URL: 's3://pacioli-files' })).toEqual({
      bucket: 'pacioli-files',
      region: 'us-east-1',
    });
    const given = {
      PACIOLI_FILE_STORE_URL: url,
      PACIOLI_FILE_STORE_REGION: 'eu-central-1',
      PACIOLI_FILE_STORE_ENDPOINT: 'http://127.0.0.1:9000',
      PACIOLI_FILE_STORE_PUBLIC_ENDPOINT: 'https://objects.example.com',
      PACIOLI_FILE_STORE_ACCESS_KEY_ID: 'id',
      PACIOLI_FILE_STORE_SECRET_ACCESS_KEY: 'secret',
    };
    expect(bucketOf(given)).toEqual({
      bucket: 'pacioli-files',
      prefix: 'books/one',
      region: 'eu-central-1',
      endpoint: 'http://127.0.0.1:9000',
      publicEndpoint: 'https://objects.example.com',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
  });

  it.each([
    [{ PACIOLI_FILE_STORE_URL: 'https://bucket' }, 'must look like s3://bucket'],
    [{ PACIOLI_FILE_STORE_URL: 's3://bucket/a//b' }, 'must look like s3://bucket'],
    [{ PACIOLI_FILE_STORE_URL: url, PACIOLI_FILE_STORE_ENDPOINT: 'objects.example.com' }, 'URL without a path'],
    [{ PACIOLI_FILE_STORE_URL: url, PACIOLI_FILE_STORE_ACCESS_KEY_ID: 'id' }, 'Set both'],
    [{ PACIOLI_FILE_STORE_ENDPOINT: 'https://objects.example.com' }, 'Set PACIOLI_FILE_STORE_URL too'],
  ])('reject %j', (environment, message) => {
    expect(mistakeOf(() => bucketOf(environment))).toContain(message);
  });
});

describe('the databases for graphs', () => {
  it('are read with the name neo4j where an address has none', () => {
    const environment = {
      PACIOLI_GRAPH_DATABASES: 'bolt://a:7687, bolt+s://b:7687/books',
      PACIOLI_GRAPH_USER: 'pacioli',
      PACIOLI_GRAPH_PASSWORD: 'secret',
    };
    expect(readSettings(environment).switches.graphServers).toEqual({
      databases: [
        { url: 'bolt://a:7687', database: 'neo4j' },
        { url: 'bolt+s://b:7687', database: 'books' },
      ],
      credentials: { user: 'pacioli', password: 'secret' },
    });
    expect(readSettings({}).switches.graphServers).toBeUndefined();
  });
});

describe('jwtSecretOf', () => {
  const secretOf = (environment: Readonly<Record<string, string>>) =>
    jwtSecretOf(readSettings({ DATA_DIR: folder, ...environment }));
  const database = 'postgresql://nobody@127.0.0.1:1/none';

  it('names the file of a truncated secret (platform A-6)', () => {
    const file = join(folder, 'jwt-secret');
    writeFileSync(file, '');
    expect(mistakeOf(() => secretOf({}))).toContain(
      `The secret for session tokens in ${file} is shorter than 32 bytes.`,
    );
    rmSync(file);
  });

  it('rejects a secret of less than 32 bytes, and accepts one of 32 (platform A-6)', () => {
    expect(mistakeOf(() => secretOf({ PACIOLI_JWT_SECRET: 'x'.repeat(31) }))).toBe(
      'PACIOLI_JWT_SECRET is shorter than 32 bytes. Use a longer random text.',
    );
    expect(secretOf({ PACIOLI_JWT_SECRET: 'x'.repeat(32) })).toBe('x'.repeat(32));
  });

  it('generates no secret where several processes may share a database', () => {
    expect(mistakeOf(() => secretOf({ DATABASE_URL: database }))).toMatch(
      /^Set PACIOLI_JWT_SECRET \(32 bytes or more\)/,
    );
  });

  it('stores the generated secret in the data folder', () => {
    const made = secretOf({});
    expect(Buffer.byteLength(made)).toBeGreaterThanOrEqual(32);
    expect(secretOf({})).toBe(made);
  });
});

describe('prepareDataDir', () => {
  it('rejects a folder that cannot be created, and names the variable that sets another', () => {
    writeFileSync(join(folder, 'a-file'), '');
    const below = join(folder, 'a-file', 'below');
    expect(mistakeOf(() => prepareDataDir(below))).toBe(
      `The data folder ${below} cannot be created or written (ENOTDIR). Choose another one with DATA_DIR.`,
    );
  });
});

describe('the switches of the embedder', () => {
  const remote = {
    PACIOLI_EMBEDDER: 'remote',
    PACIOLI_EMBEDDER_URL: 'https://api.example.com/v1/',
    PACIOLI_EMBEDDER_MODEL: 'embed-large',
    PACIOLI_EMBEDDER_DIMENSIONS: '4096',
  };
  const embedderOf = (environment: Readonly<Record<string, string>>) => readSettings(environment).switches.embedder;

  it('choose the word vectors without any, a folder, a provider or none', () => {
    expect(embedderOf({})).toEqual({ kind: 'words' });
    expect(embedderOf({ PACIOLI_EMBEDDER: 'none' })).toEqual({ kind: 'none' });
    expect(embedderOf({ PACIOLI_EMBEDDER: 'onnx', PACIOLI_EMBEDDER_MODEL_DIR: '/m' })).toEqual({
      ...{ kind: 'onnx', folder: '/m' },
    });
    const provider = { kind: 'remote', url: 'https://api.example.com/v1', model: 'embed-large', dimensions: 4096 };
    expect(embedderOf(remote)).toEqual(provider);
    expect(embedderOf({ ...remote, PACIOLI_EMBEDDER_API_KEY: 'sk-1' })).toEqual({ ...provider, apiKey: 'sk-1' });
  });

  it('limit the length of vectors and reject addresses with a password and names with spaces', () => {
    expect(mistakeOf(() => embedderOf({ ...remote, PACIOLI_EMBEDDER_DIMENSIONS: '4097' }))).toMatch(/from 1 to 4096/);
    const address = mistakeOf(() => embedderOf({ ...remote, PACIOLI_EMBEDDER_URL: 'https://me:secret@a/v1' }));
    expect(address).toMatch(/without user, password or query/);
    expect(address).not.toContain('secret');
    expect(mistakeOf(() => embedderOf({ ...remote, PACIOLI_EMBEDDER_MODEL: 'a b' }))).toMatch(/without spaces/);
  });
});

describe('the switches of OpenSearch', () => {
  const given = { PACIOLI_SEARCH_INDEX: 'opensearch', PACIOLI_OPENSEARCH_URL: 'https://search.example.com:9200' };
  const clusterOf = (environment: Readonly<Record<string, string>>) => readSettings(environment).switches.searchIndex;

  it('name a cluster, its user and the prefix of its indexes', () => {
    expect(clusterOf({})).toEqual({ kind: 'lancedb' });
    expect(clusterOf({ PACIOLI_SEARCH_INDEX: 'none' })).toEqual({ kind: 'none' });
    expect(clusterOf(given)).toEqual({
      kind: 'opensearch',
      url: 'https://search.example.com:9200',
      prefix: 'pacioli-',
    });
    const user = { PACIOLI_OPENSEARCH_USER: 'me', PACIOLI_OPENSEARCH_PASSWORD: 'secret' };
    expect(clusterOf({ ...given, ...user })).toMatchObject({ credentials: { user: 'me', password: 'secret' } });
  });

  it('reject a user without a password, a prefix with other characters and an address with a password', () => {
    expect(mistakeOf(() => clusterOf({ ...given, PACIOLI_OPENSEARCH_USER: 'me' }))).toMatch(/belong together/);
    expect(mistakeOf(() => clusterOf({ ...given, PACIOLI_OPENSEARCH_PREFIX: '*' }))).toMatch(/lower-case letters/);
    const url = { PACIOLI_OPENSEARCH_URL: 'https://me:secret@a:9200' };
    expect(mistakeOf(() => clusterOf({ ...given, ...url }))).not.toContain('secret');
  });
});
