/**
 * Goal: programs by others find no fault in the endpoint. Method: each runs against a real service; what the conformance
 * suite expects and this server does not have is listed with its reason, and nothing else may fail.
 *
 * @module-tag full-run
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '@pacioli/core/assembly';
import graph from '@pacioli/graph';
import mcp from '@pacioli/mcp';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Exceptions,
  exceptionsOfTasks,
  exceptionsStateless,
  exceptionsWithHandshake,
} from './conformance-exceptions.ts';
import { conformancePlugin } from './conformance-plugin.ts';
import { fixturePlugin } from './fixture-plugin.ts';
import { areJudgesRequired, installJudges, runConformance, runInspector, runPython } from './judge-programs.ts';
import { type KeyProxy, startKeyProxy } from './key-proxy.ts';

const why = areJudgesRequired ? '' : ' (skipped: the programs come from npm and PyPI)';
const maxMs = 300_000;

describe.runIf(areJudgesRequired)(`the endpoint of MCP${why}`, () => {
  let service: TestService;
  let proxy: KeyProxy;
  let url: string;
  let key: string;

  beforeAll(async () => {
    await installJudges();
    service = await startTestService({ plugins: [graph, mcp, fixturePlugin, conformancePlugin], log: silentLog });
    const user = await service.newUser('Ann');
    const graphId = await user.createGraph('Books', ['fixture', 'conformance']);
    key = (await user.post('/v1/user/api-keys', { name: 'mcp' })).body.key;
    url = `${service.url}/v1/graphs/${graphId}/mcp`;
    proxy = await startKeyProxy(url, key);
  });
  afterAll(async () => {
    proxy?.close();
    await service?.close();
  });

  it.each([
    ['2025-11-25', exceptionsWithHandshake, 33],
    ['2026-07-28', exceptionsStateless, 40],
  ])(
    'passes the conformance suite in revision %s, except what it does not offer',
    async (...row) => {
      const [revision, exceptions, scenarios] = row;
      const folder = mkdtempSync(join(tmpdir(), 'pacioli-conformance-'));
      const words = ['server', '--url', proxy.url, '--suite', 'all', '--spec-version', revision, '-o', folder];
      const { stdout, stderr } = await runConformance(words);
      const checks = readChecks(folder);
      rmSync(folder, { recursive: true, force: true });
      expect(checks.scenarios, `${stdout}${stderr}`).toBe(scenarios);
      expect(checks.failed).toEqual(checksOf(exceptions));
    },
    maxMs,
  );

  it(
    'passes the conformance suite of the tasks extension, except what it does not offer (ai-surface M-20e)',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'pacioli-conformance-'));
      // No revision contains the scenarios of an extension; they are among those that the suite calls pending.
      const { stdout, stderr } = await runConformance([
        'server',
        '--url',
        proxy.url,
        '--suite',
        'pending',
        '-o',
        folder,
      ]);
      const checks = readChecks(folder, 'server-tasks-');
      rmSync(folder, { recursive: true, force: true });
      expect(checks.scenarios, `${stdout}${stderr}`).toBe(10);
      expect(checks.failed).toEqual(checksOf(exceptionsOfTasks));
    },
    maxMs,
  );

  it.each(['legacy', 'modern'])(
    'serves the inspector in the era that it calls %s',
    async (era) => {
      const common = ['--server-url', url, '--transport', 'http', '--format', 'json', '--protocol-era', era];
      const inspect = (...words: string[]) => runInspector([...common, '--header', `X-API-Key: ${key}`, ...words]);
      const listed = await inspect('--method', 'tools/list', '--strict');
      expect(listed, listed.stderr).toMatchObject({ status: 0 });
      expect(JSON.parse(listed.stdout).result.tools.map(({ name }: { name: string }) => name)).toContain('echo');
      const called = await inspect('--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hello');
      expect(JSON.parse(called.stdout).result.structuredContent).toEqual({ text: 'hello' });
      const anonymous = await runInspector([...common, '--stored-auth-only', '--method', 'tools/list']);
      expect(anonymous.stderr).toContain('"code":"auth_required"');
    },
    maxMs,
  );

  it.each([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ])(
    'serves the official Python client in its mode %s',
    async (mode, revision) => {
      const script = fileURLToPath(new URL('./python_client_run.py', import.meta.url));
      const { status, stdout, stderr } = await runPython(script, [url, key, mode]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({
        revision,
        server: 'Books',
        instructions: 'Connected to "Books"',
        tools: expect.arrayContaining(['echo', 'read-graph-cypher']),
        echoed: { text: 'hello' },
        steps: ['step 1', 'step 2', 'step 3'],
        refused: true,
        resource: 'application/json',
        prompts: [],
      });
    },
    maxMs,
  );
});

/** Reads the results of a run: how many scenarios ran, and the sorted ids of the checks that failed or warn. */
function readChecks(folder: string, prefix = ''): { readonly scenarios: number; readonly failed: readonly string[] } {
  const scenarios = readdirSync(folder).filter((name) => name.startsWith(prefix));
  const failed = scenarios.flatMap((scenario) => {
    const checks = JSON.parse(readFileSync(join(folder, scenario, 'checks.json'), 'utf8')) as readonly {
      readonly id: string;
      readonly status: string;
    }[];
    return checks.filter(({ status }) => ['FAILURE', 'WARNING'].includes(status)).map(({ id }) => id);
  });
  return { scenarios: scenarios.length, failed: failed.sort() };
}

function checksOf(exceptions: Exceptions): readonly string[] {
  return Object.values(exceptions).flat().sort();
}
