import { model } from '../schema/model.ts';
import passkeyLoginVerifyRequestAssertion from './PasskeyLoginVerifyRequestAssertion.ts';

export default model('PasskeyLoginVerifyRequest', {
  assertion: passkeyLoginVerifyRequestAssertion,
});
