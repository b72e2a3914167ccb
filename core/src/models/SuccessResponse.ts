import { Type } from 'typebox';
import { model, nullable, openModel } from '../schema/model.ts';

export const successResponseDataType0 = openModel('SuccessResponseDataType0');

export default model('SuccessResponse', {
  message: Type.String(),
  success: Type.Optional(Type.Boolean({ default: true })),
  data: Type.Optional(nullable(successResponseDataType0)),
});
