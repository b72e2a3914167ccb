import type { GraphEngine } from '../graph-schema/index.ts';
import type serviceOfferingsResponse from '../models/ServiceOfferingsResponse.ts';
import type { TypeOf } from '../schema/model.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { customerTiers, featuresOf } from '../tenancy/graph-tiers.ts';
import type { OfferedRepository } from '../tenancy/offered-repositories.ts';
import { billsPlans, type PlanBilling } from '../tenancy/plan-billing.ts';
import { soldTiers } from '../tenancy/tier-numbers.ts';
import { toCredits } from './amounts.ts';
import type { TokenPrices } from './token-prices.ts';

type Offering = TypeOf<typeof serviceOfferingsResponse>;

/** Builds the offering of this deployment with its prices, from its plugins (platform T-2). */
export function serviceOffering(use: {
  readonly settings: KernelSettings;
  readonly engine: GraphEngine;
  readonly prices: TokenPrices;
  readonly repositories: readonly OfferedRepository[];
  readonly billing: readonly PlanBilling[];
}): Offering {
  const tiers = tiersOf(use.settings, use.engine.driver);
  const repositories = use.repositories.map(repositoryOf);
  return {
    billing_enabled: billsPlans(use.billing),
    graph_subscriptions: {
      description: 'Each graph has its own subscription, with the limits, rates and monthly credits of its tier.',
      pricing_model: 'per_graph',
      tiers,
      notes: [
        'Prices are in US dollars per graph for 30 days.',
        'Unused credits expire at the end of the month.',
        'Storage is a soft cap: above it imports are refused, but reads and ledger writes continue.',
      ],
    },
    repository_subscriptions: {
      description: 'Each subscription to a shared repository is for one user and is charged to the organization.',
      pricing_model: 'per_user',
      repositories,
      notes: ['A subscription grants one user read access, with a separate credit pool.'],
    },
    operation_costs: operationCosts(use.prices),
    summary: {
      total_graph_tiers: tiers.length,
      total_repositories: repositories.length,
      enabled_repositories: repositories.filter(({ enabled }) => enabled).length,
      coming_soon_repositories: repositories.filter(({ coming_soon }) => coming_soon).length,
    },
  };
}

/** Lists the tiers, cheapest first. */
function tiersOf(settings: KernelSettings, backend: string): Offering['graph_subscriptions']['tiers'] {
  const enabled = customerTiers(settings);
  return soldTiers
    .filter(({ tier }) => enabled.includes(tier))
    .toSorted((a, b) => a.priceCents - b.priceCents)
    .map((row) => ({
      name: row.tier,
      display_name: row.name,
      description: row.description,
      monthly_price_per_graph: row.priceCents / 100,
      monthly_credits_per_graph: row.creditsMonthly,
      infrastructure: `A dedicated database on the ${backend} engine`,
      features: featuresOf(row),
      backup_retention_days: row.backup.retention_days,
      priority_support: row.hasPrioritySupport,
      api_rate_multiplier: row.rateMultiplier,
      backend,
      max_subgraphs: row.maxSubgraphs,
      instance_type: row.tier,
      instance_storage_limit_gb: row.maxStorageGb ?? 0,
    }));
}

function repositoryOf(repository: OfferedRepository): Offering['repository_subscriptions']['repositories'][number] {
  return {
    type: repository.key,
    name: repository.name,
    description: repository.description,
    enabled: repository.enabled,
    coming_soon: !repository.enabled,
    plans: repository.plans
      .toSorted((a, b) => a.priceCents - b.priceCents)
      .map((plan) => ({
        plan: plan.plan,
        name: `${repository.name} - ${plan.name}`,
        monthly_price: plan.priceCents / 100,
        monthly_credits: plan.creditsMonthly,
        access_level: 'READ',
        features: [...plan.features],
        rate_limits: { ...plan.rate_limits },
      })),
  };
}

function operationCosts(prices: TokenPrices): Offering['operation_costs'] {
  const rates = [...prices.rates].map(([model, { inputHundredths, outputHundredths }]) => [
    model,
    { input_per_1k_tokens: toCredits(inputHundredths), output_per_1k_tokens: toCredits(outputHundredths) },
  ]);
  return {
    description: 'Credits pay for the tokens of language models. Everything else is included.',
    ai_operations: {},
    token_pricing: Object.fromEntries(rates),
    included_operations: [
      'queries',
      'imports',
      'materialization',
      'backups',
      'connection sync',
      'search',
      'memory',
      'MCP calls',
      'operations and their streams',
    ],
    notes: [
      'Prices are in credits per 1,000 tokens. A call costs at least one credit.',
      'Models that run inside this deployment are free unless they have a configured price.',
    ],
  };
}
