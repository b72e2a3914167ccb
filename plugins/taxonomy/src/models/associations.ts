import { model, nullable, oneOf } from '@pacioli/core';
import { type Static, Type } from 'typebox';

const text = Type.Optional(nullable(Type.String()));

const number = Type.Optional(nullable(Type.Number()));

export const createMappingAssociationOperation = model('CreateMappingAssociationOperation', {
  from_element_id: Type.String(),
  to_element_id: Type.String(),
  mapping_id: Type.String(),
  association_type: Type.Optional(
    oneOf(['calculation', 'equivalence', 'mapping', 'presentation'], { default: 'mapping' }),
  ),
  order_value: number,
  weight: number,
  confidence: number,
  suggested_by: text,
});

export const associationResponse = model('AssociationResponse', {
  id: Type.String(),
  structure_id: Type.String(),
  from_element_id: Type.String(),
  to_element_id: Type.String(),
  association_type: Type.String(),
  from_element_name: text,
  from_element_qname: text,
  to_element_name: text,
  to_element_qname: text,
  order_value: number,
  weight: number,
  confidence: number,
  suggested_by: text,
  approved_by: text,
});

export type NewMappingAssociation = Static<typeof createMappingAssociationOperation>;

export type AssociationAnswer = Static<typeof associationResponse>;
