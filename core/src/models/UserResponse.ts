import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

const accountInfo = model('AccountInfo', {
  provider: Type.String(),
  provider_type: Type.String(),
  provider_account_id: Type.String(),
});

export default model('UserResponse', {
  id: Type.String(),
  name: Type.Optional(nullable(Type.String())),
  email: Type.Optional(nullable(Type.String())),
  email_verified: Type.Optional(Type.Boolean({ default: false })),
  accounts: Type.Optional(Type.Array(accountInfo)),
});
