import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('SSOCompleteRequest', {
  session_id: Type.String(),
});
