/** @module-tag sessions */
import { silentLog } from '@pacioli/core/assembly';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, openFund, startInvestor } from '../../test/investor-service.ts';

const source = 'kg0123456789abcdef0001';
let run: InvestorService;
let fund: Fund;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
});
afterAll(() => run.service.close());

describe('create-security', () => {
  it('stores every field and returns it by id on a graph without books (I-1, I-10, S-2)', async () => {
    const made = await fund.run('create-security', {
      name: ' Northwind Series A ',
      security_type: ' preferred_stock ',
      security_subtype: 'series_a',
      terms: { original_issue_price_cents: 250, liquidation_preference: { multiple: 1 } },
      authorized_shares: 9_000_000_000,
      outstanding_shares: 8_000_000_000,
    });
    expect(made.id).toMatch(/^sec_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(made).toMatchObject({
      name: 'Northwind Series A',
      security_type: 'preferred_stock',
      entity_id: null,
      entity_name: null,
      is_active: true,
    });
    const { security } = await fund.query(`{ security(securityId: "${made.id}") {
      id name securityType securitySubtype terms isActive authorizedShares outstandingShares entityId sourceGraphId } }`);
    expect(security).toEqual({
      id: made.id,
      name: 'Northwind Series A',
      securityType: 'preferred_stock',
      securitySubtype: 'series_a',
      terms: { original_issue_price_cents: 250, liquidation_preference: { multiple: 1 } },
      isActive: true,
      authorizedShares: 9_000_000_000,
      outstandingShares: 8_000_000_000,
      entityId: null,
      sourceGraphId: null,
    });
  });

  it('links the entity of a source graph at once, or at its first share (S-2, H-15)', async () => {
    const early = await fund.security('Early', { source_graph_id: source });
    const issuer = await fund.share(source, 'Northwind Inc');
    const late = await fund.run('create-security', { name: 'Late', security_type: 'safe', source_graph_id: source });
    expect([late.entity_id, late.entity_name]).toEqual([issuer, 'Northwind Inc']);
    const { security } = await fund.query(`{ security(securityId: "${early}") { entityId entityName } }`);
    expect(security).toEqual({ entityId: issuer, entityName: 'Northwind Inc' });
  });

  it('links the named entity, also one of the stated source graph, but of no other (S-2, S-5)', async () => {
    const named = await fund.share('kg0123456789abcdef0002', 'Bluefin');
    const made = await fund.run('create-security', {
      name: 'Named',
      security_type: 'safe',
      entity_id: named,
      source_graph_id: 'kg0123456789abcdef0002',
    });
    expect(made).toMatchObject({ entity_id: named, entity_name: 'Bluefin', source_graph_id: 'kg0123456789abcdef0002' });
    await expectRefused({ name: 'Other', security_type: 'safe', entity_id: named, source_graph_id: source }, [
      409,
      'SOURCE_GRAPH_MISMATCH',
      'Entity is linked to a different source graph.',
    ]);
  });

  it('does not look up the source graph: the answer is the same whether it exists (S-3, S-9, X-6)', async () => {
    const existing = await openFund(run.owner);
    const stranger = await openFund(await run.service.newUser('Bob'));
    const answers = [];
    for (const graph of [existing.graph, stranger.graph, 'kg00000000000000000000', `${existing.graph}_draft`]) {
      const made = await fund.run('create-security', { name: 'Same', security_type: 'safe', source_graph_id: graph });
      answers.push({ ...made, id: '', source_graph_id: '', created_at: '', updated_at: '' });
    }
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  const terms = (value: object) => ({ name: 'X', security_type: 'convertible_note', terms: value });
  it.each([
    ['no name', { security_type: 'safe' }, /name/],
    ['a blank name', { name: ' ', security_type: 'safe' }, /^name: between 1 and 200/],
    ['a long name', { name: 'x'.repeat(201), security_type: 'safe' }, /^name: between 1 and 200/],
    ['a blank type', { name: 'X', security_type: ' ' }, /^security_type: between 1 and 60/],
    ['a long type', { name: 'X', security_type: 'x'.repeat(61) }, /^security_type: between 1 and 60/],
    ['a long subtype', { name: 'X', security_type: 'safe', security_subtype: 'x'.repeat(101) }, /^security_subtype/],
    [
      'a repository as source',
      { name: 'X', security_type: 'safe', source_graph_id: 'sec' },
      /^source_graph_id: must be/,
    ],
    ['the library as source', { name: 'X', security_type: 'safe', source_graph_id: 'library' }, /^source_graph_id/],
    ['a malformed source', { name: 'X', security_type: 'safe', source_graph_id: 'kg12' }, /^source_graph_id: must be/],
    ['negative shares', { name: 'X', security_type: 'safe', authorized_shares: -1 }, /authorized_shares/],
    [
      'more outstanding than authorized shares',
      { name: 'X', security_type: 'safe', authorized_shares: 1, outstanding_shares: 2 },
      /^outstanding_shares: 2 are more than the 1/,
    ],
    ['terms over 64 KiB', terms({ memo: 'x'.repeat(65_536) }), /^terms: at most 65536 bytes/],
    ['terms of nine levels', terms(nested(9)), /^terms: at most 8 levels/],
    ['a known key of another type', terms({ interest_rate_bps: 'high' }), /^\/terms\/interest_rate_bps: /],
    [
      'two keys that do not go together',
      terms({ issue_date: '2026-01-02', maturity_date: '2026-01-01' }),
      /^\/terms\/maturity_date: maturity_date must be after issue_date/,
    ],
    ['a fraction of a share', { name: 'X', security_type: 'safe', authorized_shares: 0.5 }, /authorized_shares/],
    ['terms that are a list', { name: 'X', security_type: 'safe', terms: [] }, /terms/],
  ])('rejects %s and stores nothing (I-10, S-4, S-6 to S-8, T-1, T-4)', async (_case, body, message) => {
    await expectRefused(body, [422, 'INVALID_INPUT', expect.stringMatching(message)]);
  });

  it('accepts the limits: long texts, 8 levels, 64 KiB, unknown types and keys, equal shares (I-10, S-6 to S-8, T-1, T-2)', async () => {
    const bytes = 65_536 - JSON.stringify({ memo: '' }).length;
    const made = await fund.run('create-security', {
      name: 'x'.repeat(200),
      security_type: 'y'.repeat(60),
      security_subtype: 'z'.repeat(100),
      terms: { memo: 'm'.repeat(bytes) },
      authorized_shares: 0,
      outstanding_shares: 0,
    });
    expect([made.authorized_shares, made.outstanding_shares]).toEqual([0, 0]);
    await fund.run('create-security', terms({ ...nested(8), unheard_of: 1 }));
  });

  it('rejects this graph as source, and entities that it does not have (S-2, S-4)', async () => {
    const other = await openFund(run.owner);
    const foreign = await other.share(source, 'Foreign');
    await expectRefused({ name: 'X', security_type: 'safe', source_graph_id: fund.graph }, [
      422,
      'INVALID_INPUT',
      'source_graph_id cannot be this graph.',
    ]);
    for (const id of [foreign, 'ent_none'])
      await expectRefused({ name: 'X', security_type: 'safe', entity_id: id }, [404, 'NOT_FOUND', 'Entity not found.']);
  });
});

describe('the options of the plugin', () => {
  it('accept any terms, or only complete ones, and more outstanding shares with a warning (T-1, S-6)', async () => {
    const body = {
      name: 'X',
      security_type: 'safe',
      authorized_shares: 1,
      outstanding_shares: 2,
      terms: { mfn: 'no' },
    };
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
    const lenient = await startInvestor({ settings: { termsValidation: 'off', lenientShares: true }, log });
    const strict = await startInvestor({ settings: { termsValidation: 'strict' } });
    try {
      expect((await (await openFund(lenient.owner)).run('create-security', body)).terms).toEqual({ mfn: 'no' });
      expect(warnings).toContain('A security has more outstanding than authorized shares.');
      const own = await openFund(strict.owner);
      const safe = { name: 'X', security_type: 'safe', terms: { purchase_amount_cents: 1, issue_date: '2026-01-01' } };
      await own.run('create-security', safe);
      const before = await strict.digests(own.graph);
      for (const terms of [{ purchase_amount_cents: 1 }, { ...safe.terms, unheard_of: 1 }])
        expect((await own.operation('create-security', { ...safe, terms })).status).toBe(422);
      expect(await strict.digests(own.graph)).toEqual(before);
    } finally {
      await lenient.service.close();
      await strict.service.close();
    }
  });
});

/** Requires the refusal, and that nothing of the graph changed. */
async function expectRefused(body: object, expected: readonly [number, string, unknown]) {
  const before = await run.digests(fund.graph);
  const { status, body: answer } = await fund.operation('create-security', body);
  const detail = typeof answer.detail === 'string' ? answer.detail : JSON.stringify(answer.detail);
  expect([status, answer.code, detail]).toEqual(expected);
  expect(await run.digests(fund.graph)).toEqual(before);
}

/** An object of that many levels. */
function nested(levels: number): object {
  return levels === 1 ? {} : { inner: nested(levels - 1) };
}
