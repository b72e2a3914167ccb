import { Type } from 'typebox';
import { instant, model } from '../schema/model.ts';

export default model('SSOExchangeResponse', {
  session_id: Type.String(),
  redirect_url: Type.String(),
  expires_at: instant(),
});
