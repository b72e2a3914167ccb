import { Type } from 'typebox';
import { mapOf, model } from '../schema/model.ts';

export default model('PasswordCheckResponse', {
  is_valid: Type.Boolean(),
  strength: Type.String(),
  score: Type.Integer(),
  errors: Type.Array(Type.String()),
  suggestions: Type.Array(Type.String()),
  character_types: mapOf(Type.Boolean()),
});
