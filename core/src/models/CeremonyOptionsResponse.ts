import { model, openObject } from '../schema/model.ts';

export default model('CeremonyOptionsResponse', {
  options: openObject(),
});
