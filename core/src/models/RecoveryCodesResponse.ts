import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('RecoveryCodesResponse', {
  codes: Type.Array(Type.String()),
});
