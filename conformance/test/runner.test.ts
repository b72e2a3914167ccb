import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineCase } from '../src/define-case.ts';
import { parseJsonCase } from '../src/json-case.ts';
import { type RunOptions, runConformance } from '../src/runner.ts';
import { type FixtureService, startFixture } from './fixture-service.ts';

let fixture: FixtureService;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

function run(options: Partial<RunOptions>): ReturnType<typeof runConformance> {
  return runConformance({ url: fixture.url, contract: null, expectedFailures: new Map(), ...options });
}

const spec = { level: 'MUST', title: 'a case', clause: 'a clause' } as const;
const passing = defineCase({
  ...spec,
  id: 'FIX-001',
  run: async ({ graph, expectStatus }) => {
    expectStatus(200, await graph.operation('rename', { name: 'Another' }));
  },
});
const failing = defineCase({
  ...spec,
  id: 'FIX-002',
  run: async ({ graph, expectStatus }) => {
    expectStatus(409, await graph.tryOperation('rename', { name: 'Another' }));
  },
});
const needy = defineCase({
  ...spec,
  id: 'FIX-003',
  requires: ['ledger'],
  run: async ({ skip }) => skip('not reached'),
});

describe('runConformance', () => {
  it('reports each case with its outcome', async () => {
    const { results, ok } = await run({ cases: [passing, failing, needy] });
    expect(results.map(({ id, outcome, messages }) => [id, outcome, messages.join().slice(0, 90)])).toEqual([
      ['FIX-001', 'passed', ''],
      ['FIX-002', 'failed', expect.stringMatching(/^POST \/v1\/graphs\/kg.*expected 409, got 200/)],
      ['FIX-003', 'skipped', 'this deployment has no ledger'],
    ]);
    expect(ok).toBe(false);
  });

  it('accepts a listed failure, and treats a stale entry as a failure', async () => {
    const expectedFailures = new Map([['FIX-002', 'not built']]);
    expect((await run({ cases: [failing], expectedFailures })).ok).toBe(true);
    const stale = await run({ cases: [passing], expectedFailures: new Map([['FIX-001', 'not built']]) });
    expect(stale).toMatchObject({ ok: false, stale: [{ id: 'FIX-001' }] });
  });

  it('reports the first difference of every operation of the contract', async () => {
    const contract = {
      openapi: { paths: { '/v1/status': { get: { operationId: 'get_service_status' } } } },
      sdl: 'type Query { hello: String! entity: Int }',
      additions: ['operation POST */operations/rename'],
    };
    const { results } = await run({ contract, cases: [] });
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id, messages }) => `${id} ${messages.join()}`)).toEqual(
      ['openapi:GET /v1/status missing operation GET /v1/status', 'sdl:Query.entity missing query entity'].map(
        (line) => `${line},A deployment without its plugin is tested with --subset.`,
      ),
    );
  });

  it('lists what a deployment adds, counts what it does not serve in a subset, and fails for both otherwise (platform X-9b)', async () => {
    const contract = {
      openapi: { paths: { '/v1/status': { get: { operationId: 'get_service_status' } } } },
      sdl: 'type Query { entity: Int }',
      additions: [],
    };
    const outcomesOf = async (options: Partial<RunOptions>) => {
      const { results, additions, ok } = await run({ contract, cases: [], ...options });
      return { ok, additions, outcomes: results.map(({ id, outcome }) => `${id} ${outcome}`) };
    };
    const absent = (outcome: string) => [`openapi:GET /v1/status ${outcome}`, `sdl:Query.entity ${outcome}`];
    const kept = ['sdl:mutation passed', 'sdl:subscription passed'];
    const additions = ['operation POST /v1/graphs/{graph_id}/operations/rename', 'query hello'];
    const subset = await outcomesOf({ subset: true });
    expect(subset).toEqual({
      ok: true,
      additions: expect.arrayContaining(additions),
      outcomes: expect.arrayContaining([...absent('not_served'), ...kept]),
    });
    expect(subset.outcomes).toHaveLength(4);
    expect(await outcomesOf({})).toMatchObject({ ok: false, outcomes: expect.arrayContaining(absent('failed')) });
    const exact = await outcomesOf({ subset: true, exact: true });
    expect(exact).toMatchObject({ ok: false, additions: [] });
    expect(exact.outcomes).toContain('sdl:Query.hello failed');
  });

  it('tells how far it is, and for what it waits (platform X-9b)', async () => {
    const limited = defineCase({
      ...spec,
      id: 'FIX-004',
      run: async ({ anonymous }) => {
        await anonymous.get('/v1/limited-once');
      },
    });
    const told: unknown[] = [];
    await run({
      cases: [passing, limited],
      onResult: ({ id }, progress) => told.push([id, progress]),
      onWait: (wait) => told.push(wait),
    });
    expect(told).toEqual([
      ['FIX-001', { done: 1, all: 2 }],
      { asked: 'GET /v1/limited-once', seconds: 1 },
      ['FIX-004', { done: 2, all: 2 }],
    ]);
  });

  it('runs only the requested cases, and rejects two cases with one id', async () => {
    const { results } = await run({ cases: [passing, failing], only: ['FIX-001'] });
    expect(results.map(({ id }) => id)).toEqual(['FIX-001']);
    await expect(run({ cases: [passing, passing] })).rejects.toThrow('Two cases have the id FIX-001.');
  });

  it('says what to do when there is no deployment', async () => {
    await expect(run({ url: 'http://127.0.0.1:1' })).rejects.toThrow('There is no deployment at http://127.0.0.1:1.');
  });
});

describe('parseJsonCase', () => {
  const data = {
    id: 'FIX-101',
    ...spec,
    request: { method: 'GET', path: '/v1/user' },
    expect: { status: 200, headers: { 'content-type': 'json' }, body: { properties: { id: { const: 'user_1' } } } },
  };

  it('creates a case from a request and its expected response', async () => {
    const wrong = {
      ...data,
      id: 'FIX-102',
      expect: { status: 200, body: { properties: { id: { const: 'user_2' } } } },
    };
    const cases = [data, wrong].map((each) => parseJsonCase(`${each.id}.json`, JSON.stringify(each)));
    const { results } = await run({ cases });
    expect(results.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(['FIX-101 passed', 'FIX-102 failed']);
    expect(results[1]?.messages[0]).toContain('/id must be equal to constant');
  });

  it('rejects an incomplete file, or one with another name than its id', () => {
    expect(() => parseJsonCase('FIX-101.json', '{}')).toThrow('FIX-101.json is not a case');
    expect(() => parseJsonCase('FIX-999.json', JSON.stringify(data))).toThrow("must have the case's id");
    expect(() => parseJsonCase('FIX.json', JSON.stringify({ ...data, id: 'FIX' }))).toThrow('is not a case id');
  });
});
