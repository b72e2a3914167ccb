import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import passkeyDeleteRequestAssertionType0 from './PasskeyDeleteRequestAssertionType0.ts';

export default model('PasskeyDeleteRequest', {
  password: Type.Optional(nullable(Type.String())),
  assertion: Type.Optional(nullable(passkeyDeleteRequestAssertionType0)),
});
