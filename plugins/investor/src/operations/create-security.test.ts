/** @module-tag sessions */
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
});
