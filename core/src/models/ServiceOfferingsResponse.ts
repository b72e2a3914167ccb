import { Type } from 'typebox';
import { mapOf, model, nullable } from '../schema/model.ts';

const graphSubscriptionTier = model('GraphSubscriptionTier', {
  name: Type.String(),
  display_name: Type.String(),
  description: Type.String(),
  monthly_price_per_graph: Type.Number(),
  monthly_credits_per_graph: Type.Integer(),
  infrastructure: Type.String(),
  features: Type.Array(Type.String()),
  backup_retention_days: Type.Integer(),
  priority_support: Type.Boolean(),
  api_rate_multiplier: Type.Number(),
  backend: Type.String(),
  max_subgraphs: Type.Optional(Type.Integer({ default: 0 })),
  instance_type: Type.Optional(nullable(Type.String())),
  instance_storage_limit_gb: Type.Optional(Type.Number({ default: 0.0 })),
});

const graphSubscriptions = model('GraphSubscriptions', {
  description: Type.String(),
  pricing_model: Type.String(),
  tiers: Type.Array(graphSubscriptionTier),
  notes: Type.Array(Type.String()),
});

const offeringRepositoryPlan = model('OfferingRepositoryPlan', {
  plan: Type.String(),
  name: Type.String(),
  monthly_price: Type.Number(),
  monthly_credits: Type.Integer(),
  access_level: Type.String(),
  features: Type.Array(Type.String()),
  rate_limits: Type.Optional(nullable(mapOf(nullable(Type.Integer())))),
});

const tokenPricing = model('TokenPricing', {
  input_per_1k_tokens: Type.Number(),
  output_per_1k_tokens: Type.Number(),
});

const operationCosts = model('OperationCosts', {
  description: Type.String(),
  ai_operations: mapOf(Type.Number()),
  token_pricing: mapOf(tokenPricing),
  included_operations: Type.Array(Type.String()),
  notes: Type.Array(Type.String()),
});

const repositoryInfo = model('RepositoryInfo', {
  type: Type.String(),
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  coming_soon: Type.Boolean(),
  plans: Type.Array(offeringRepositoryPlan),
});

const repositorySubscriptions = model('RepositorySubscriptions', {
  description: Type.String(),
  pricing_model: Type.String(),
  repositories: Type.Array(repositoryInfo),
  notes: Type.Array(Type.String()),
});

const serviceOfferingSummary = model('ServiceOfferingSummary', {
  total_graph_tiers: Type.Integer(),
  total_repositories: Type.Integer(),
  enabled_repositories: Type.Integer(),
  coming_soon_repositories: Type.Integer(),
});

export default model('ServiceOfferingsResponse', {
  billing_enabled: Type.Boolean(),
  graph_subscriptions: graphSubscriptions,
  repository_subscriptions: repositorySubscriptions,
  operation_costs: operationCosts,
  summary: serviceOfferingSummary,
});
