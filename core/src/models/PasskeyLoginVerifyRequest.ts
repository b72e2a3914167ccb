import { model, openObject } from '../schema/model.ts';

export default model('PasskeyLoginVerifyRequest', {
  assertion: openObject(),
});
