import { Type } from 'typebox';
import { instant, model } from '../schema/model.ts';

export default model('SSOTokenResponse', {
  token: Type.String(),
  expires_at: instant(),
  apps: Type.Array(Type.String()),
});
