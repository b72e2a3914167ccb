import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import accountInfo from './AccountInfo.ts';

export default model('UserResponse', {
  id: Type.String(),
  name: Type.Optional(nullable(Type.String())),
  email: Type.Optional(nullable(Type.String())),
  email_verified: Type.Optional(Type.Boolean({ default: false })),
  accounts: Type.Optional(Type.Array(accountInfo)),
});
