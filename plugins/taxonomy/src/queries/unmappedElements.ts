import { defineQuery, model, notFound, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { createSuggester, unmappedAccount } from '../mapping/index.ts';
import { library, libraryViews, taxonomyReads } from '../tokens.ts';

const number = nullable(Type.Number());

const suggestedTarget = model('SuggestedTarget', {
  element_id: Type.String(),
  qname: Type.String(),
  name: Type.String(),
  confidence: number,
});

const text = nullable(Type.String());

const unmappedElement = model('UnmappedElement', {
  id: Type.String(),
  code: text,
  name: Type.String(),
  trait: text,
  liquidity: text,
  balance_type: Type.String(),
  external_source: text,
  suggested_targets: Type.Array(suggestedTarget),
});

export default defineQuery({
  name: 'unmappedElements',
  summary: 'Accounts without a reporting concept, each with up to three suggestions.',
  mcp: { tool: 'get-unmapped-elements', hint: 'Use it to see which accounts still need a reporting concept.' },
  domain: 'ledger',
  args: model('UnmappedElementsArgs', { mapping_id: Type.Optional(nullable(Type.String())) }),
  returns: Type.Array(unmappedElement),
  services: { library, libraryViews, taxonomyReads },
  cost: { points: 60 },
  async resolve({ args, ctx, use }) {
    // With an unknown mapping, every account would appear unmapped, and the field cannot be null (taxonomy M-18).
    if (args.mapping_id != null && (await use.taxonomyReads.mapping(ctx.tx, args.mapping_id)) === undefined)
      throw notFound('Mapping not found');
    const rows = await use.taxonomyReads.unmapped(ctx.tx, args.mapping_id ?? undefined);
    const suggester = createSuggester(use.library, await use.libraryViews.view(ctx.tx));
    return rows.map((row) => ({
      id: row.id,
      code: row.code,
      name: row.name,
      trait: row.trait,
      liquidity: row.liquidity,
      balance_type: row.balance_type,
      external_source: row.external_source,
      suggested_targets: suggester.suggest(unmappedAccount(row)).map(({ element, confidence }) => ({
        element_id: element.id,
        qname: element.qname,
        name: element.name,
        confidence,
      })),
    }));
  },
});
