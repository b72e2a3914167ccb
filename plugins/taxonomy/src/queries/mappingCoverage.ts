import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { coverageOf, leadsToRoot } from '../mapping/index.ts';
import { library, taxonomyReads } from '../tokens.ts';

const text = nullable(Type.String());

const unreachableMapping = model('UnreachableMappingType', {
  coa_element_id: Type.String(),
  coa_qname: text,
  coa_code: text,
  coa_name: text,
  target_element_id: Type.String(),
  target_qname: text,
  target_name: text,
});

const mappingCoverage = model('MappingCoverage', {
  mapping_id: Type.String(),
  total_coa_elements: Type.Integer(),
  mapped_count: Type.Integer(),
  unmapped_count: Type.Integer(),
  coverage_percent: Type.Number(),
  high_confidence: Type.Integer(),
  medium_confidence: Type.Integer(),
  low_confidence: Type.Integer(),
  unreachable_count: Type.Integer(),
  unreachable: Type.Array(unreachableMapping),
});

export default defineQuery({
  name: 'mappingCoverage',
  summary: 'The coverage of a mapping by confidence, and the targets that no statement shows.',
  mcp: { tool: 'get-mapping-summary', hint: 'Use it to see how complete a mapping is.' },
  domain: 'ledger',
  args: model('MappingCoverageArgs', { mapping_id: Type.String() }),
  returns: nullable(mappingCoverage),
  services: { library, taxonomyReads },
  async resolve({ args, ctx, use }) {
    if ((await use.taxonomyReads.mapping(ctx.tx, args.mapping_id)) === undefined) return null;
    const accounts = await use.taxonomyReads.coverage(ctx.tx, args.mapping_id);
    const coverage = coverageOf(accounts);
    const totals = await use.taxonomyReads.extensionTotals(ctx.tx);
    const reaches = (qname: string) => leadsToRoot(qname, totals, use.library.statements.reachesRoot);
    const unreachable = accounts.flatMap((account) => {
      const isReached = account.target_qname !== null && reaches(account.target_qname);
      if (account.target_id === null || isReached) return [];
      return [
        {
          coa_element_id: account.account_id,
          coa_qname: account.account_qname,
          coa_code: account.account_code,
          coa_name: account.account_name,
          target_element_id: account.target_id,
          target_qname: account.target_qname,
          target_name: account.target_name,
        },
      ];
    });
    return {
      mapping_id: args.mapping_id,
      total_coa_elements: coverage.total,
      mapped_count: coverage.mapped,
      unmapped_count: coverage.unmapped,
      coverage_percent: coverage.percent,
      high_confidence: coverage.high,
      medium_confidence: coverage.medium,
      low_confidence: coverage.low,
      unreachable_count: unreachable.length,
      unreachable,
    };
  },
});
