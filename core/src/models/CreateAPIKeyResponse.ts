import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import apiKeyInfo from './APIKeyInfo.ts';

export default model('CreateAPIKeyResponse', {
  api_key: apiKeyInfo,
  key: Type.String(),
});
