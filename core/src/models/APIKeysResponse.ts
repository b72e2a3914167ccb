import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import apiKeyInfo from './APIKeyInfo.ts';

export default model('APIKeysResponse', {
  api_keys: Type.Array(apiKeyInfo),
});
