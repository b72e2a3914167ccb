import { defineQuery, model } from '@pacioli/core';
import { Type } from 'typebox';
import { mappingCandidates } from '../domain/candidates.ts';
import { namespaceOf } from '../domain/library.ts';
import { element } from '../models/graphql-types.ts';
import { library } from '../tokens.ts';

export default defineQuery({
  name: 'mappingCandidates',
  summary: 'The reporting concepts that an account of a trait may be mapped to, statement lines first.',
  domain: 'ledger',
  args: model('MappingCandidatesArgs', { classification: Type.String() }),
  returns: Type.Array(element),
  needs: { library },
  async resolve({ args, use }) {
    return mappingCandidates(use.library, { trait: args.classification }).map(({ element: row, leaf }) => ({
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
      // A line of a statement is level 0, a detail that is shown inside a line is level 1.
      depth: leaf.isDirect ? 0 : 1,
      is_active: true,
      external_id: null,
      external_source: null,
    }));
  },
});
