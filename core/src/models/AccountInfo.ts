import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('AccountInfo', {
  provider: Type.String(),
  provider_type: Type.String(),
  provider_account_id: Type.String(),
});
