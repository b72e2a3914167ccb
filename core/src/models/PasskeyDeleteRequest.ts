import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

export default model('PasskeyDeleteRequest', {
  password: Type.Optional(nullable(Type.String())),
  assertion: Type.Optional(nullable(openObject())),
});
