import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { taxonomyReads } from '../tokens.ts';

const number = nullable(Type.Number());

const text = nullable(Type.String());

const association = model('Association', {
  id: Type.String(),
  structure_id: Type.String(),
  from_element_id: Type.String(),
  from_element_name: text,
  from_element_qname: text,
  to_element_id: Type.String(),
  to_element_name: text,
  to_element_qname: text,
  association_type: Type.String(),
  order_value: number,
  weight: number,
  confidence: number,
  suggested_by: text,
  approved_by: text,
});

const mappingDetail = model('MappingDetail', {
  id: Type.String(),
  name: Type.String(),
  block_type: Type.String(),
  taxonomy_id: Type.String(),
  associations: Type.Array(association),
  total_associations: Type.Integer(),
});

export default defineQuery({
  name: 'mapping',
  summary: 'One mapping with its arcs; null when the id is unknown.',
  domain: 'ledger',
  args: model('MappingArgs', { mapping_id: Type.String() }),
  returns: nullable(mappingDetail),
  services: { taxonomyReads },
  async resolve({ args, ctx, use }) {
    const mapping = await use.taxonomyReads.mapping(ctx.tx, args.mapping_id);
    if (mapping === undefined) return null;
    const associations = await use.taxonomyReads.associations(ctx.tx, mapping.id);
    return {
      id: mapping.id,
      name: mapping.name,
      block_type: mapping.block_type,
      taxonomy_id: mapping.taxonomy_id,
      associations: [...associations],
      total_associations: associations.length,
    };
  },
});
