import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export const passwordCheckResponseCharacterTypes = Type.Unsafe<Readonly<Record<string, boolean>>>({
  type: 'object',
  title: 'PasswordCheckResponseCharacterTypes',
  additionalProperties: Type.Boolean(),
});

export default model('PasswordCheckResponse', {
  is_valid: Type.Boolean(),
  strength: Type.String(),
  score: Type.Integer(),
  errors: Type.Array(Type.String()),
  suggestions: Type.Array(Type.String()),
  character_types: passwordCheckResponseCharacterTypes,
});
