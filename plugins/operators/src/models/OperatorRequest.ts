import { instant, model, nullable, oneOf, openObject, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { operatorModes } from '../catalog/index.ts';

const maxHistoryMessages = 50;
const maxListed = 50;

const operatorMessage = model('OperatorMessage', {
  role: Type.String({ pattern: '^(?:user|assistant)$' }),
  content: Type.String({ maxLength: 100_000 }),
  timestamp: Type.Optional(nullable(instant())),
});

const selectionCriteria = model('SelectionCriteria', {
  min_confidence: Type.Optional(Type.Number({ default: 0.3, minimum: 0, maximum: 1 })),
  required_capabilities: Type.Optional(Type.Array(Type.String(), { maxItems: maxListed })),
  preferred_mode: Type.Optional(nullable(oneOf(operatorModes))),
  max_response_time: Type.Optional(Type.Number({ default: 60 })),
  excluded_operators: Type.Optional(Type.Array(Type.String(), { maxItems: maxListed })),
});

/** A question to an operator (ai-surface OP-10). */
export const operatorRequest = model('OperatorRequest', {
  message: Type.String({ minLength: 1, maxLength: 10_000 }),
  history: Type.Optional(Type.Array(operatorMessage, { maxItems: maxHistoryMessages })),
  context: Type.Optional(nullable(openObject())),
  mode: Type.Optional(nullable(oneOf(operatorModes, { default: 'standard' }))),
  operator_type: Type.Optional(nullable(Type.String())),
  selection_criteria: Type.Optional(nullable(selectionCriteria)),
  force_extended_analysis: Type.Optional(Type.Boolean({ default: false })),
  enable_rag: Type.Optional(Type.Boolean({ default: true })),
  stream: Type.Optional(Type.Boolean({ default: false })),
  max_credits: Type.Optional(nullable(Type.Number({ exclusiveMinimum: 0 }))),
});

export type OperatorRequest = TypeOf<typeof operatorRequest>;
