import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import graphInfo from './GraphInfo.ts';

export default model('UserGraphsResponse', {
  graphs: Type.Array(graphInfo),
  selectedGraphId: Type.Optional(nullable(Type.String())),
});
