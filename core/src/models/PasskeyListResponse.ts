import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import passkeyInfo from './PasskeyInfo.ts';

export default model('PasskeyListResponse', {
  passkeys: Type.Array(passkeyInfo),
});
