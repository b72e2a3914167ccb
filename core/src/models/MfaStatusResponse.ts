import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('MfaStatusResponse', {
  passkey_count: Type.Integer(),
  recovery_codes_remaining: Type.Integer(),
  enforcement_applies: Type.Boolean(),
});
