import { model, nullable, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

/** The purpose of an operator, and the modes in which it can be asked. */
export const operatorMetadataResponse = model('OperatorMetadataResponse', {
  name: Type.String(),
  description: Type.String(),
  version: Type.String(),
  capabilities: Type.Array(Type.String()),
  supported_modes: Type.Array(Type.String()),
  requires_credits: Type.Boolean(),
  author: Type.Optional(nullable(Type.String())),
  tags: Type.Optional(Type.Array(Type.String())),
});

export type OperatorMetadataResponse = TypeOf<typeof operatorMetadataResponse>;
