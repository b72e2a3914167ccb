import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('SSOExchangeRequest', {
  token: Type.String(),
  target_app: Type.String(),
  return_url: Type.Optional(nullable(Type.String())),
});
