import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureService, startFixture } from './fixture-service.ts';

const cli = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
let fixture: FixtureService;
let folder: string;

beforeAll(async () => {
  fixture = await startFixture('forgets keys');
  folder = mkdtempSync(join(tmpdir(), 'pacioli-cli-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await fixture.close();
});

/** Runs the command in a separate process, without blocking the fixture in this one. */
function run(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly text: string; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), text: `${stdout}${stderr}`, output: stdout });
    });
  });
}

describe('pacioli-conformance', () => {
  it('prints its help', async () => {
    const { code, text } = await run('--help');
    expect(code).toBe(0);
    for (const option of ['--url', '--key', '--json', '--only', '--subset', '--exact', 'Exit code'])
      expect(text).toContain(option);
  });

  it('exits with 0 when the requested cases pass', async () => {
    const { code, text } = await run('--url', fixture.url, '--only', 'GEN-001', 'GEN-002');
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('2 passed, 0 failed') });
    expect(text).toContain('2 of 2 cases');
  });

  it('exits with 1 when a MUST fails, and writes every result', async () => {
    const file = join(folder, 'report.json');
    const { code, text } = await run('--url', fixture.url, '--only', 'GEN-010', '--json', file);
    expect(code).toBe(1);
    expect(text).toContain('Not conformant.');
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
    expect(report).toMatchObject({
      ok: false,
      summary: { failed: 1 },
      results: [{ level: 'MUST', outcome: 'failed' }],
    });
  });

  it('exits with 0 when the failure is listed, and proposes such a list', async () => {
    const proposed = await run('--url', fixture.url, '--only', 'GEN-010', '--propose');
    expect(proposed.text).toContain('"GEN-010 POST /v1/graphs/{graph_id}/operations/rename"');
    const file = join(folder, 'expected.yaml');
    writeFileSync(file, proposed.output);
    const { code, text } = await run('--url', fixture.url, '--only', 'GEN-010', '--expected-failures', file);
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('1 failed as expected') });
  });

  it('exits with 2 when there is no deployment, and says what to do', async () => {
    const { code, text } = await run('--url', 'http://127.0.0.1:1');
    expect({ code, text }).toEqual({
      code: 2,
      text: 'There is no deployment at http://127.0.0.1:1. Start one, or give another --url.\n',
    });
  });

  it('rejects an invalid URL', async () => {
    const { code, text } = await run('--url', 'localhost');
    expect(code).not.toBe(0);
    expect(text).toContain('http://127.0.0.1:8000');
  });
});
