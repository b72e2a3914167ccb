import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import oAuthGrantInfo from './OAuthGrantInfo.ts';

export default model('OAuthGrantsResponse', {
  grants: Type.Array(oAuthGrantInfo),
});
