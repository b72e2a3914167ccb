/** @module-tag sessions */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, openFund, startInvestor } from '../../test/investor-service.ts';

const [northwind, bluefin, unheard] = ['kg0123456789abcdef0001', 'kg0123456789abcdef0002', 'kg0123456789abcdef0003'];
let run: InvestorService;
let fund: Fund;
let ofNorthwind: string;
let ofBluefin: string;
let id: string;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
  ofNorthwind = await fund.share(northwind, 'Northwind Inc');
  ofBluefin = await fund.share(bluefin, 'Bluefin');
});
afterAll(() => run.service.close());
beforeEach(async () => {
  id = await fund.security('Note', {
    security_type: 'convertible_note',
    security_subtype: 'senior',
    source_graph_id: northwind,
    terms: { principal_cents: 100, discount_pct: 20 },
    authorized_shares: 10,
  });
});

const update = (patch: object) => fund.run('update-security', { security_id: id, ...patch });

async function expectRefused(patch: object, expected: readonly [number, string, unknown]) {
  const before = await run.digests(fund.graph);
  const refused = await fund.operation('update-security', { security_id: id, ...patch });
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual(expected);
  expect(await run.digests(fund.graph)).toEqual(before);
}

describe('update-security', () => {
  it('keeps absent fields and nulls of fields that must have a value, and clears the others (I-30, S-11, S-15)', async () => {
    const before = await update({});
    expect(await update({ name: null, security_type: null, terms: null, is_active: null })).toMatchObject({
      name: 'Note',
      security_type: 'convertible_note',
      terms: before.terms,
      is_active: true,
    });
    expect(await update({ security_subtype: null, authorized_shares: null })).toMatchObject({
      security_subtype: null,
      authorized_shares: null,
      name: 'Note',
    });
    expect((await update({ terms: { mfn: true } })).terms).toEqual({ mfn: true });
    expect((await update({ terms: {} })).terms).toEqual({});
  });

  it('changes nothing, not even the time of the last change, with an empty patch (S-15)', async () => {
    const before = await run.digests(fund.graph);
    run.clock.advance(60_000);
    await update({});
    expect(await run.digests(fund.graph)).toEqual(before);
  });

  it('finds the issuer again when only the source graph changes (S-13)', async () => {
    expect(await update({ source_graph_id: bluefin })).toMatchObject({ entity_id: ofBluefin, entity_name: 'Bluefin' });
    expect(await update({ source_graph_id: unheard })).toMatchObject({ entity_id: null, entity_name: null });
    expect(await update({ source_graph_id: northwind })).toMatchObject({ entity_id: ofNorthwind });
    expect(await update({ source_graph_id: null })).toMatchObject({ entity_id: null, source_graph_id: null });
  });

  it('keeps an issuer that was named, and refuses another source graph for it (S-5, S-12, S-13)', async () => {
    expect(await update({ entity_id: ofBluefin, source_graph_id: bluefin })).toMatchObject({ entity_id: ofBluefin });
    const mismatch = [409, 'SOURCE_GRAPH_MISMATCH', 'Entity is linked to a different source graph.'] as const;
    await expectRefused({ source_graph_id: northwind }, mismatch);
    await expectRefused({ entity_id: ofNorthwind }, mismatch);
    expect(await update({ source_graph_id: null })).toMatchObject({ entity_id: ofBluefin });
  });

  it('leaves an unlinked security unlinked until the next share (S-12, H-15)', async () => {
    expect(await update({ entity_id: null })).toMatchObject({ entity_id: null, source_graph_id: northwind });
    expect(await update({ name: 'Renamed' })).toMatchObject({ entity_id: null });
    await fund.share(northwind, 'Northwind Inc');
    expect(await update({})).toMatchObject({ entity_id: ofNorthwind });
    await update({ entity_id: ofBluefin, source_graph_id: bluefin });
    await fund.share(northwind, 'Northwind Inc');
    expect(await update({})).toMatchObject({ entity_id: ofBluefin });
  });

  it('checks stored terms against a new type unless new ones are given (S-14)', async () => {
    await update({ terms: { discount_pct: 20, seniority: 'whatever' } });
    await expectRefused({ security_type: 'bond' }, [
      422,
      'INVALID_INPUT',
      expect.stringMatching(/^\/terms\/seniority: /),
    ]);
    expect(await update({ security_type: 'bond', terms: {} })).toMatchObject({ security_type: 'bond', terms: {} });
    expect(await update({ security_type: 'unheard_of' })).toMatchObject({ security_type: 'unheard_of' });
  });

  it.each([
    ['a blank name', { name: ' ' }, /^name: /],
    ['a blank type', { security_type: ' ' }, /^security_type: /],
    ['a long subtype', { security_subtype: 'x'.repeat(101) }, /^security_subtype: /],
    ['a repository as source', { source_graph_id: 'sec_2024' }, /^source_graph_id: /],
    ['more outstanding than stored authorized shares', { outstanding_shares: 11 }, /^outstanding_shares: 11/],
    ['terms of another type', { terms: { discount_pct: 101 } }, /^\/terms\/discount_pct: /],
    ['terms over 64 KiB', { terms: { memo: 'x'.repeat(65_536) } }, /^terms: at most 65536 bytes/],
  ])('rejects %s and changes nothing (S-4, S-6 to S-8)', async (_case, patch, message) => {
    await expectRefused(patch, [422, 'INVALID_INPUT', expect.stringMatching(message)]);
  });

  it('answers 404 for a security or an entity that the graph does not have (S-10, S-12)', async () => {
    const other = await openFund(run.owner);
    const foreign = await other.security('Foreign');
    const before = await run.digests(fund.graph, other.graph);
    for (const security of [foreign, 'sec_none']) {
      const refused = await fund.operation('update-security', { security_id: security, name: 'Mine' });
      expect([refused.status, refused.body.detail]).toEqual([404, 'Security not found.']);
    }
    expect(await run.digests(fund.graph, other.graph)).toEqual(before);
    const elsewhere = await other.share(northwind, 'Northwind Inc');
    await expectRefused({ entity_id: elsewhere }, [404, 'NOT_FOUND', 'Entity not found.']);
  });

  it('links a security that is written while the first share of its issuer arrives (S-2, H-15)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const graph = `kg0123456789abcdef1${round}00`;
      const [made, entity] = await Promise.all([
        fund.security('Racing', { source_graph_id: graph }),
        fund.share(graph, 'New'),
      ]);
      const { security } = await fund.query(`{ security(securityId: "${made}") { entityId } }`);
      expect(security.entityId).toBe(entity);
    }
  });
});
