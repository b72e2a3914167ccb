import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import updateUserRequestReauthAssertionType0 from './UpdateUserRequestReauthAssertionType0.ts';

export default model('UpdateUserRequest', {
  name: Type.Optional(nullable(Type.String())),
  email: Type.Optional(nullable(Type.String())),
  reauth_password: Type.Optional(nullable(Type.String())),
  reauth_assertion: Type.Optional(nullable(updateUserRequestReauthAssertionType0)),
});
