import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('UpdateAPIKeyRequest', {
  name: Type.Optional(nullable(Type.String())),
  description: Type.Optional(nullable(Type.String())),
});
