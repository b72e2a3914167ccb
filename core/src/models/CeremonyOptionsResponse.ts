import { model } from '../schema/model.ts';
import ceremonyOptionsResponseOptions from './CeremonyOptionsResponseOptions.ts';

export default model('CeremonyOptionsResponse', {
  options: ceremonyOptionsResponseOptions,
});
