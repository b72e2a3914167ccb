import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import availableExtension from './AvailableExtension.ts';

export default model('AvailableExtensionsResponse', {
  extensions: Type.Array(availableExtension),
});
