import { model, openObject } from '../schema/model.ts';

/** The options that a page passes to the browser's WebAuthn API, to create a passkey or to sign with one. */
export default model('CeremonyOptionsResponse', {
  options: openObject(),
});
