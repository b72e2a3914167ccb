import { model, oneOf, openObject, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { operatorModes } from '../catalog/index.ts';

/** The stored input of a run: the question and the chosen operator. */
export const operatorRunInput = model('OperatorRunInput', {
  operator_type: Type.String(),
  mode: oneOf(operatorModes),
  message: Type.String(),
  history: Type.Array(model('OperatorRunMessage', { role: oneOf(['user', 'assistant']), content: Type.String() })),
  context: openObject(),
  is_retrieval_on: Type.Boolean(),
  max_credits: Type.Optional(Type.Number()),
  service_url: Type.String(),
  /** The strategy and scores of the choice, for the metadata of the answer. */
  routing: openObject(),
});

export type OperatorRunInput = TypeOf<typeof operatorRunInput>;
