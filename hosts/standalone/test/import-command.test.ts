/**
 * Starts the program two dozen times, each in its own process.
 * @module-tag full-run
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, runPacioli, type Standalone, startStandalone } from './start-standalone.ts';

/**
 * Goal: a person who imports a journal learns from the terminal alone what to do next, or why the import failed.
 * Method: the command runs as a program against a real service, and against one that always fails.
 */
const keyOfNobody = `rfs${'0'.repeat(64)}`;
const journal = `option "operating_currency" "USD"
2024-01-01 open Assets:Cash
2024-01-01 open Income:Sales
2024-02-01 * "Shop" "Sale"
  Assets:Cash   10.00 USD
  Income:Sales
`;

let folder: string;
let file: string;
let server: Standalone;
let apiKey: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-import-command-'));
  file = join(folder, 'books.beancount');
  await writeFile(file, journal);
  server = await startStandalone({ DATA_DIR: join(folder, 'data') });
  const person = { name: 'Rae', email: 'rae@example.org', password: 'Harbour-Lantern-42' };
  const { token } = await post('/v1/auth/register', person, {});
  const { key } = await post('/v1/user/api-keys', { name: 'import' }, { authorization: `Bearer ${token}` });
  apiKey = key ?? '';
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function post(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, string>; // Both answers are flat objects with a text of interest.
}

/** Imports the journal with these additional arguments. */
function runImport(words: readonly string[], { url = server.url, key = apiKey } = {}) {
  return runPacioli(['import-journal', file, '--url', url, '--api-key', key, ...words]);
}

/** Expects a readable sentence: no stack trace, no JSON, with a final period. */
function expectSentence(text: string): void {
  expect(text).not.toMatch(/[[{]\s*"|^\s+at |<\w+>/m);
  expect(text.trim()).toMatch(/\.$/);
}

describe('pacioli import-journal', () => {
  it('accepts only the id of a graph, and prints commands that work when they are copied', {
    timeout: 300_000,
  }, async () => {
    const first = await runImport(['--graph-name', 'Books', '--json']);
    const { graph_id: graphId } = JSON.parse(first.out) as { readonly graph_id: string };
    const { code, out, err } = await runImport(['--graph', graphId]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`to graph ${graphId}.`);
    const commands = out.split('\n').filter((line) => line.startsWith('  curl '));
    expect(commands).toHaveLength(4);
    const run = (command: string | undefined) =>
      JSON.parse(execFileSync('sh', ['-c', command ?? 'false'], { encoding: 'utf8' }));
    const [balances, mapping, sheet, income] = commands;
    expect(run(balances).data.trialBalance).toMatchObject({ totalDebits: 10, totalCredits: 10 });
    const { operationId } = run(mapping);
    await untilCompleted(operationId);
    expect(factOf(run(sheet), 'Assets')).toBe(10);
    expect(factOf(run(income), 'Net Income (Loss)')).toBe(10);
    // This deployment has no explorer, so none is offered.
    expect(out).not.toContain('Explorer');
  });

  it('rejects a name and an id of a graph together', async () => {
    const { code, err } = await runImport(['--graph', 'kg1', '--graph-name', 'Books']);
    expect([code, err]).toEqual([1, "error: option '--graph <id>' cannot be used with option '--graph-name <name>'\n"]);
  });

  it('requires either a name or an id of a graph', async () => {
    const { code, err } = await runImport([]);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'Name the graph with --graph-name, or give the id of an existing one with --graph.\n',
    });
  });

  it('explains in a sentence why the service rejected the import', { timeout: 300_000 }, async () => {
    const cases: readonly (readonly [readonly string[], Readonly<Record<string, string>>, RegExp])[] = [
      [['--graph-name', 'x'], { key: keyOfNobody }, /401: Invalid API key\. Check the API key\.\n$/],
      [['--graph', 'kg123'], {}, /422: graph_id: Must be a graph id such as kg/],
      [['--graph', 'kg0123456789abcdef0123'], {}, /was refused with (403|404): .+\. (Use|Check) the /],
      [['--graph-name', 'x'], { url: 'nonsense' }, /^"nonsense" is not the URL of a service\. Give one such as/],
      [
        ['--graph-name', 'x'],
        { url: 'http://127.0.0.1:1' },
        /^The service at http:\/\/127\.0\.0\.1:1 cannot be reached/,
      ],
    ];
    for (const [words, place, message] of cases) {
      const { code, err } = await runImport(words, place);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(message) });
      expectSentence(err);
    }
  });

  it('explains in a sentence why a journal cannot be read', async () => {
    const { code, err } = await runPacioli([
      'import-journal',
      join(folder, 'none'),
      '--url',
      server.url,
      '--api-key',
      apiKey,
      '--graph-name',
      'x',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('there is no such file; check the path.');
    expectSentence(err);
  });
});

async function untilCompleted(operationId: string): Promise<void> {
  const stream = await fetch(`${server.url}/v1/operations/${operationId}/stream`, { headers: { 'x-api-key': apiKey } });
  expect(await stream.text()).toContain('operation_completed'); // The stream ends with the operation.
}

function factOf(answer: { result: { facts: { name: string; values: number[] }[] } }, name: string): number | undefined {
  return answer.result.facts.find((fact) => fact.name === name)?.values[0];
}

describe('commands against a failing service', () => {
  let failing: Server;
  let url: string;
  let next: { readonly status: number; readonly type: string; readonly body: string };
  beforeAll(async () => {
    failing = createServer((request, response) => {
      request.resume();
      response.writeHead(next.status, { 'content-type': next.type, 'retry-after': '0' }).end(next.body);
    });
    failing.listen(0, '127.0.0.1');
    await once(failing, 'listening');
    url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`; // A listening TCP server has one.
  });
  afterAll(async () => {
    failing.closeAllConnections();
    failing.close();
    await once(failing, 'close');
  });

  const json = 'application/json';
  const issues = [
    { loc: ['body', 'metadata', 'graph_name'], msg: 'Must not be empty', type: 'value_error' },
    { loc: ['body', 'tags'], msg: 'Must be a list', type: 'list_type' },
  ];
  const answers: readonly (readonly [number, string, unknown, string])[] = [
    [404, json, { detail: 'Not Found' }, '404: Not Found. Check the URL of the service and the id of the graph.'],
    [409, json, { detail: { code: 'TAKEN', message: 'The name is taken' } }, '409: The name is taken.'],
    [422, json, { detail: issues }, '422: metadata.graph_name: Must not be empty; tags: Must be a list.'],
    [429, json, { detail: 'Try again in 9 seconds.' }, '429: Try again in 9 seconds. Run again after that time.'],
    [500, json, {}, '500: No reason was given. See the log of the service, and run again when the error is fixed.'],
    [502, 'text/html', '<html><h1>Bad gateway</h1></html>', '502: The answer is not JSON; it reads "Bad gateway".'],
    [503, json, { detail: 'Busy.' }, '503: Busy. See the log of the service, and run again when the error is fixed.'],
    [200, 'text/html', '<html>Welcome</html>', 'The answer is not JSON; it reads "Welcome". Check the URL'],
  ];

  it.each(answers)('explain status %i in a sentence', { timeout: 300_000 }, async (status, type, body, sentence) => {
    next = { status, type, body: typeof body === 'string' ? body : JSON.stringify(body) };
    // Both commands use one client, so each status is tested with only one of them: a process takes a second.
    const words = status === 404 || status === 500 ? ['demo'] : ['import-journal', file, '--graph-name', 'x'];
    const { code, err } = await runPacioli([...words, '--url', url, '--api-key', keyOfNobody]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(sentence) });
    expectSentence(err);
  });

  it('report a missing database, or one without tables', { timeout: 300_000 }, async () => {
    for (const words of [['audit'], ['ledger-verify', 'kg0123456789abcdef0123'], ['library', 'report']]) {
      const { code, err } = await runPacioli(words, { DATA_DIR: join(folder, 'no-store') });
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^There is no store at .+\. Set DATA_DIR/) });
    }
    const databaseUrl = `postgresql://nobody@127.0.0.1:${await freePort()}/none`;
    for (const words of [['audit'], ['migrate']]) {
      const { code, err } = await runPacioli(words, {
        DATABASE_URL: databaseUrl,
        PACIOLI_JWT_SECRET: 'a secret that only tests know: 0123456789',
      });
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^The database does not respond/) });
    }
  });
});
