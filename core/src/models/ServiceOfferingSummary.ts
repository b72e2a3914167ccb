import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('ServiceOfferingSummary', {
  total_graph_tiers: Type.Integer(),
  total_repositories: Type.Integer(),
  enabled_repositories: Type.Integer(),
  coming_soon_repositories: Type.Integer(),
});
