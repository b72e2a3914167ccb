import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('MfaOptionsRequest', {
  mfa_token: Type.String(),
});
