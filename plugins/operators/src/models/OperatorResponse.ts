import { instant, mapOf, model, nullable, oneOf, openObject, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { operatorModes } from '../catalog/index.ts';

/** The answer of an operator. */
export const operatorResponse = model('OperatorResponse', {
  content: Type.String(),
  operator_used: Type.String(),
  mode_used: oneOf(operatorModes),
  metadata: Type.Optional(nullable(openObject())),
  tokens_used: Type.Optional(nullable(mapOf(Type.Integer()))),
  confidence_score: Type.Optional(nullable(Type.Number())),
  operation_id: Type.Optional(nullable(Type.String())),
  is_partial: Type.Optional(Type.Boolean({ default: false })),
  error_details: Type.Optional(nullable(openObject())),
  execution_time: Type.Optional(nullable(Type.Number())),
  timestamp: Type.Optional(instant()),
});

export type OperatorResponse = TypeOf<typeof operatorResponse>;
