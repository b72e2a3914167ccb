import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

export default model('SuccessResponse', {
  message: Type.String(),
  success: Type.Optional(Type.Boolean({ default: true })),
  data: Type.Optional(nullable(openObject())),
});
