import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

export default model('UpdateUserRequest', {
  name: Type.Optional(nullable(Type.String())),
  email: Type.Optional(nullable(Type.String())),
  reauth_password: Type.Optional(nullable(Type.String())),
  reauth_assertion: Type.Optional(nullable(openObject())),
});
