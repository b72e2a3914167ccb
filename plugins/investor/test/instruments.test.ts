/** @module-tag sessions */

import blocks from '@pacioli/blocks';
import { definePlugin } from '@pacioli/core';
import { describeSet } from '@pacioli/core/assembly';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import investor, { registerInstrument } from '../src/index.ts';
import { type Fund, type InvestorService, openFund, startInvestor } from './investor-service.ts';

const royalty = definePlugin({
  name: 'royalties',
  title: 'Royalties',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['investor'],
  contributions: [
    registerInstrument({
      type: 'royalty',
      title: 'Royalty',
      schema: { properties: { rate_bps: { $ref: 'urn:investor:terms:defs#/$defs/bps' } } },
      required: ['rate_bps'],
      defaultQuantityType: 'units',
    }),
  ],
});

let run: InvestorService;
let fund: Fund;
beforeAll(async () => {
  run = await startInvestor({ others: [royalty] });
  fund = await openFund(run.owner);
});
afterAll(() => run.service.close());

describe('instruments', () => {
  it('are listed with those of other plugins, and each has a JSON Schema (investor T-3, T-6)', async () => {
    const { status, body } = await run.owner.get('/v1/instruments');
    expect(status).toBe(200);
    expect(body.instruments).toHaveLength(14);
    expect(body.instruments).toContainEqual({
      security_type: 'royalty',
      title: 'Royalty',
      default_quantity_type: 'units',
      known_keys: ['rate_bps'],
      required_keys: ['rate_bps'],
    });
    const terms = await run.owner.get('/v1/instruments/royalty');
    expect(terms.body).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:investor:terms:royalty',
      properties: { rate_bps: { $ref: 'urn:investor:terms:defs#/$defs/bps' } },
      $defs: { terms: { $id: 'urn:investor:terms:defs' } },
    });
    expect((await run.owner.get('/v1/instruments/none')).status).toBe(404);
    expect((await run.service.anonymous.get('/v1/instruments')).status).toBe(401);
    expect((await run.service.anonymous.get('/v1/instruments/bond')).status).toBe(401);
  });

  it('are refused at the start when two plugins register one type (investor T-3)', () => {
    const again = registerInstrument({
      type: 'bond',
      title: 'Bond',
      schema: { properties: {} },
      required: [],
      defaultQuantityType: 'principal',
    });
    const other = definePlugin({
      name: 'bonds',
      title: 'Bonds',
      version: '0.1.0',
      kernel: '^0.1.0',
      dependsOn: ['investor'],
      contributions: [again],
    });
    const plugins = [taxonomy, blocks, ledger, investor];
    expect(() => describeSet({ plugins })).not.toThrow();
    expect(() => describeSet({ plugins: [...plugins, other] })).toThrow(/bond.*(bonds.*investor|investor.*bonds)/);
  });

  it('validate the terms of securities, with the place of each issue (investor T-1, T-4, S-8)', async () => {
    const answer = await fund.operation('create-security', {
      name: 'Well 5',
      security_type: 'royalty',
      terms: { rate_bps: 'five' },
    });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('rate_bps');
    expect(
      (await fund.run('create-security', { name: 'Well 6', security_type: 'royalty', terms: {} })).id,
    ).toBeDefined();
  });
});
