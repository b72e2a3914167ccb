import { defineQuery, model } from '@pacioli/core';
import { Type } from 'typebox';
import { isMappable, mappingCandidates } from '../checks/index.ts';
import { namespaceOf } from '../library/index.ts';
import { element } from '../models/graphql-types.ts';
import { library, libraryViews, taxonomyReads } from '../tokens.ts';
import { traitsCompatibleWith } from '../vocabulary/index.ts';

export default defineQuery({
  name: 'mappingCandidates',
  summary: 'The reporting concepts that an account of a trait may be mapped to, statement lines first.',
  mcp: { tool: 'suggest-mapping', hint: 'Choose from it before create-mapping-association.' },
  domain: 'ledger',
  args: model('MappingCandidatesArgs', { classification: Type.String() }),
  returns: Type.Array(element),
  services: { library, libraryViews, taxonomyReads },
  async resolve({ args, ctx, use }) {
    const { excludedIds } = await use.libraryViews.view(ctx.tx);
    const candidates = mappingCandidates(use.library, { trait: args.classification });
    const offered = candidates.filter(({ element: row }) => !excludedIds.includes(row.id));
    const shipped = offered.map(({ element: row, leaf }) => ({
      id: row.id,
      code: null,
      name: row.name,
      description: null,
      qname: row.qname,
      namespace: namespaceOf(row.qname),
      trait: row.trait,
      sub_classification: null,
      balance_type: row.balanceType ?? 'debit',
      period_type: row.periodType,
      is_abstract: row.isAbstract,
      element_type: row.elementType,
      source: row.source,
      taxonomy_id: row.taxonomyId,
      parent_id: null,
      // A line of a statement is level 0, a detail within a line is level 1.
      depth: leaf.isDirect ? 0 : 1,
      is_active: true,
      external_id: null,
      external_source: null,
    }));
    const traits = traitsCompatibleWith(args.classification);
    const extended = (await use.taxonomyReads.extensionConcepts(ctx.tx))
      .filter((row) => isMappable(row) && row.trait !== null && traits.has(row.trait))
      .map((row) => ({
        id: row.id,
        code: null,
        name: row.name,
        description: null,
        qname: row.qname,
        namespace: null,
        trait: row.trait,
        sub_classification: null,
        balance_type: row.balanceType ?? 'debit',
        period_type: row.periodType,
        is_abstract: row.isAbstract,
        element_type: 'concept',
        source: 'native',
        taxonomy_id: row.taxonomyId,
        parent_id: null,
        depth: 1,
        is_active: true,
        external_id: null,
        external_source: null,
      }));
    // The graph's own concepts are details, and follow those that the statements show (taxonomy M-14).
    return [...shipped, ...extended];
  },
});
