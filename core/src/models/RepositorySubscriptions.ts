import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import repositoryInfo from './RepositoryInfo.ts';

export default model('RepositorySubscriptions', {
  description: Type.String(),
  pricing_model: Type.String(),
  repositories: Type.Array(repositoryInfo),
  notes: Type.Array(Type.String()),
});
