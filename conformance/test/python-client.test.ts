/**
 * Runs the published Python client against a whole process.
 * @module-tag full-run
 * @module-tag engines
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Standalone, startStandalone } from './start-standalone.ts';

// Goal: the published client works without changes other than its base URL.
// Method: install it from PyPI into a separate environment, and run one script against the real command.

/** The client, the library that ships a graph, and a writer of parquet. */
const requirements = ['robosystems-client==1.17.2', 'networkx==3.4.2', 'duckdb==1.4.1'];
const environment = fileURLToPath(new URL('../.venv', import.meta.url));
const script = fileURLToPath(new URL('./python_client_run.py', import.meta.url));
const python = join(environment, 'bin', 'python');
/** The second person of an organization joins by the token of an invitation, which its answer has for tests. */
const invitations = { PACIOLI_ORGS_INVITATIONS: 'true', PACIOLI_ORGS_SHOW_INVITATION_TOKENS: 'true' };
const givenUrl = process.env['PACIOLI_TEST_URL'];

/** It needs PyPI, so it runs only with `npm run test:all` or against a given deployment. */
const isAsked = process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1' || givenUrl !== undefined;

describe.runIf(isAsked)('published Python client', () => {
  let standalone: Standalone | undefined;
  let url = givenUrl ?? '';

  beforeAll(async () => {
    installClient();
    if (givenUrl !== undefined) return;
    standalone = await startStandalone(invitations, await createTestDatabase());
    url = standalone.url;
  });

  afterAll(() => standalone?.close());

  it('runs from registration to a filed report unmodified', { timeout: 300_000 }, () => {
    const { status, stdout, stderr } = spawnSync(python, [script, url], { encoding: 'utf8', timeout: 240_000 });
    expect({ status, steps: stepsOf(stdout).map(({ step }) => step), stderr }).toEqual({
      status: 0,
      steps: [
        'register',
        'login',
        'key',
        'graph',
        'initialize',
        'chart',
        'entry',
        'trial balance',
        'statement',
        'statement',
        'metrics',
        'report',
        'done',
      ],
      stderr: '',
    });
  });

  it('uploads, materializes and queries a published property graph, with the counts of another library', () => {
    const engine = process.env['PACIOLI_TEST_GRAPH_STORE'] ?? 'embedded';
    const { status, stdout, stderr } = runInFolder('python_graph_run.py', (folder) => [url, folder, engine]);
    expect({ status, steps: stepsOf(stdout), stderr }).toEqual({
      status: 0,
      steps: [
        { step: 'graph' },
        { step: 'upload' },
        { step: 'sql' },
        { step: 'materialize' },
        { step: 'query', triangles: 467, characters: 77, pairs: 254 },
      ],
      stderr: '',
    });
  });

  it('stores, finds, changes and deletes documents and memories', async () => {
    const key = await makeKey(url);
    const { status, stdout, stderr } = runInFolder('python_texts_run.py', (folder) => [url, key, folder]);
    expect({ status, steps: stepsOf(stdout), stderr }).toEqual({
      status: 0,
      steps: [
        { step: 'documents', files: 2, titles: ['Close policy', 'Lease Memo', 'Rent Memo'] },
        { step: 'search', everywhere: 4, filtered: 1 },
        { step: 'changes', left: 2 },
        { step: 'memory', left: 0 },
      ],
      stderr: '',
    });
  });

  it('links an issuer and its holders in both orders, for two people of each (investor H-1, H-2, H-15)', (context) => {
    context.skip(givenUrl !== undefined, 'It needs invitations that show their tokens.');
    const program = fileURLToPath(new URL('./python_handshake_run.py', import.meta.url));
    const { status, stdout, stderr } = spawnSync(python, [program, url], { encoding: 'utf8', timeout: 240_000 });
    expect({ status, steps: stepsOf(stdout), stderr }).toEqual({
      status: 0,
      steps: [
        { step: 'people', graphs: 3 },
        { step: 'report' },
        { step: 'security first', facts: true },
        { step: 'report first' },
        { step: 'holder', return_on_equity: '0.2' },
        { step: 'holder', return_on_equity: '0.2' },
        { step: 'issuer', return_on_equity: '0.2' },
        { step: 'done' },
      ],
      stderr: '',
    });
  });

  it.each(['02-a-month-of-books', '08-files-to-a-graph', '11-a-portfolio'])(
    'runs the guide %s as it is printed',
    async (guide) => {
      const key = await makeKey(url);
      const program = blocksOf(guide, 'python').replace('http://127.0.0.1:8000', url).replace('rfs...', key);
      const { status, stdout, stderr } = spawnSync(python, ['-'], {
        input: program,
        encoding: 'utf8',
        timeout: 240_000,
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: blocksOf(guide, 'text'), stderr: '' });
    },
  );
});

/** Runs a script of this folder, which may write files to the folder among its arguments. */
function runInFolder(script: string, argumentsIn: (folder: string) => readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'pacioli-client-'));
  try {
    const program = fileURLToPath(new URL(script, import.meta.url));
    return spawnSync(python, [program, ...argumentsIn(folder)], { encoding: 'utf8', timeout: 240_000 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The steps that a script has printed, a line of JSON each; the client prints other lines between them. */
function stepsOf(stdout: string): readonly { readonly step: string }[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line)); // Each script prints objects with a step.
}

/** The blocks of one language in a guide, concatenated. */
function blocksOf(guide: string, language: string): string {
  const text = readFileSync(new URL(`../../docs/guide/${guide}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))]
    .map(([, block]) => block)
    .join('');
}

/** The API key of a new user, like the one that `npm start` prints. */
async function makeKey(baseUrl: string): Promise<string> {
  const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      // A kept connection would have been closed while a script ran, which blocks this process.
      headers: { 'content-type': 'application/json', connection: 'close', ...headers },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as Readonly<Record<string, string>>; // Both answers have a text in these fields.
  };
  const email = `guide-${randomUUID()}@example.org`;
  const registered = await post('/v1/auth/register', { name: 'Guide', email, password: 'Harbour-Lantern-42' });
  const signedIn = { authorization: `Bearer ${registered['token']}` };
  const { key } = await post('/v1/user/api-keys', { name: 'guide' }, signedIn);
  return key ?? '';
}

/** Creates the environment once for each version of the client; an interrupted installation is repeated. */
function installClient(): void {
  const stamp = join(environment, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === requirements.join(' ')) return;
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(environment, { recursive: true });
  run('python3', ['-m', 'venv', environment]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements]);
  writeFileSync(stamp, requirements.join(' '));
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 240_000 });
  if (error !== undefined)
    throw new Error(`${program} could not be started. Install Python 3.11 or newer.`, { cause: error });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
}
