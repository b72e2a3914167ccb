import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import graphSubscriptions from './GraphSubscriptions.ts';
import operationCosts from './OperationCosts.ts';
import repositorySubscriptions from './RepositorySubscriptions.ts';
import serviceOfferingSummary from './ServiceOfferingSummary.ts';

export default model('ServiceOfferingsResponse', {
  billing_enabled: Type.Boolean(),
  graph_subscriptions: graphSubscriptions,
  repository_subscriptions: repositorySubscriptions,
  operation_costs: operationCosts,
  summary: serviceOfferingSummary,
});
