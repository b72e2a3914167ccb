/** @module-tag sessions */
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contribute } from '../container/provider.ts';
import { definePlugin } from '../define/plugin.ts';
import { offeredRepositories } from '../tenancy/offered-repositories.ts';
import { planBilling } from '../tenancy/plan-billing.ts';
import { tierNumbers } from '../tenancy/tier-numbers.ts';

const filings = definePlugin({
  name: 'filings',
  title: 'Filings',
  version: '0.1.0',
  kernel: '^0.1.0',
  contributions: [
    contribute(offeredRepositories, 'sec', {
      create: () => ({
        name: 'Filings',
        description: 'Annual and quarterly reports.',
        enabled: true,
        plans: [
          {
            plan: 'advanced',
            name: 'Advanced',
            priceCents: 9_900,
            creditsMonthly: 17_000,
            features: [],
            rate_limits: { queries_per_minute: 50 },
          },
          {
            plan: 'starter',
            name: 'Starter',
            priceCents: 2_900,
            creditsMonthly: 5_000,
            features: ['Ten queries a minute'],
            rate_limits: { queries_per_minute: 10 },
          },
        ],
      }),
    }),
    contribute(planBilling, 'filings', { create: () => ({ isOn: true }) }),
    contribute(offeredRepositories, 'later', {
      create: () => ({ name: 'Later', description: 'Announced.', enabled: false, plans: [] }),
    }),
  ],
});

let plain: TestService;
let selling: TestService;

beforeAll(async () => {
  plain = await startTestService({ plugins: [] });
  selling = await startTestService({
    plugins: [filings],
    settings: { graphs: { disabledTiers: ['ladybug-large'] } },
  });
});
afterAll(async () => {
  await plain.close();
  await selling.close();
});

describe('the offering', () => {
  it('is public, cacheable for five minutes, and lists the tiers by price (platform T-1, T-2)', async () => {
    const answer = await plain.anonymous.get('/v1/offering');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.body).toMatchObject({
      billing_enabled: false,
      graph_subscriptions: {
        pricing_model: 'per_graph',
        tiers: [
          { name: 'ladybug-standard', monthly_price_per_graph: 99, monthly_credits_per_graph: 8_000, max_subgraphs: 3 },
          { name: 'ladybug-large', monthly_price_per_graph: 299, monthly_credits_per_graph: 32_000, max_subgraphs: 10 },
          {
            name: 'ladybug-xlarge',
            monthly_price_per_graph: 699,
            monthly_credits_per_graph: 100_000,
            max_subgraphs: 25,
          },
        ],
      },
      repository_subscriptions: { pricing_model: 'per_user', repositories: [] },
      summary: {
        total_graph_tiers: 3,
        total_repositories: 0,
        enabled_repositories: 0,
        coming_soon_repositories: 0,
      },
    });
    expect(answer.body.operation_costs).toMatchObject({
      ai_operations: {},
      token_pricing: { openai_gpt35: { input_per_1k_tokens: 0.5, output_per_1k_tokens: 1.5 } },
    });
  });

  it('lists the repositories of loaded plugins with their plans by price (platform T-2, T-3)', async () => {
    const { body } = await selling.anonymous.get('/v1/offering');
    expect(body.billing_enabled).toBe(true);
    expect(body.repository_subscriptions.repositories).toMatchObject([
      { type: 'later', enabled: false, coming_soon: true },
      {
        type: 'sec',
        enabled: true,
        coming_soon: false,
        plans: [
          {
            plan: 'starter',
            name: 'Filings - Starter',
            monthly_price: 29,
            monthly_credits: 5_000,
            access_level: 'READ',
            rate_limits: { queries_per_minute: 10 },
          },
          { plan: 'advanced', monthly_price: 99, monthly_credits: 17_000 },
        ],
      },
    ]);
    expect(body.summary).toMatchObject({
      total_repositories: 2,
      enabled_repositories: 1,
      coming_soon_repositories: 1,
      total_graph_tiers: 2,
    });
  });
});

describe('the tiers for new graphs', () => {
  it('have no price if the deployment does not bill (platform T-4)', async () => {
    const user = await plain.newUser();
    const { tiers } = (await user.get('/v1/graphs/tiers')).body;
    expect(tiers.map((row: { tier: string; monthly_price: unknown }) => [row.tier, row.monthly_price])).toEqual([
      ['ladybug-standard', null],
      ['ladybug-large', null],
      ['ladybug-xlarge', null],
    ]);
  });

  it('exclude disabled ones unless requested, and refuse to create them (platform T-4)', async () => {
    const user = await selling.newUser();
    const shown = async (path: string) =>
      (await user.get(path)).body.tiers.map((row: { tier: string; enabled: boolean; monthly_price: number }) => [
        row.tier,
        row.enabled,
        row.monthly_price,
      ]);
    expect(await shown('/v1/graphs/tiers')).toEqual([
      ['ladybug-standard', true, 99],
      ['ladybug-xlarge', true, 699],
    ]);
    expect(await shown('/v1/graphs/tiers?include_disabled=true')).toEqual([
      ['ladybug-standard', true, 99],
      ['ladybug-large', false, 299],
      ['ladybug-xlarge', true, 699],
    ]);
    const answer = await user.post('/v1/graphs', {
      metadata: { graph_name: 'Large' },
      instance_tier: 'ladybug-large',
      initial_entity: { name: 'Large', uri: 'https://example.org' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toBe('instance_tier: Must be one of: ladybug-standard, ladybug-xlarge');
    const capacity = (await user.get('/v1/graphs/capacity')).body.tiers;
    expect(capacity.map((row: { status: string }) => row.status)).toEqual(['ready', 'at_capacity', 'ready']);
  });
});

describe('the numbers of a tier', () => {
  it('are those of the smallest tier for an unknown name, never an exemption (platform T-1)', () => {
    expect(tierNumbers('ladybug-gigantic').tier).toBe('ladybug-standard');
    expect(tierNumbers('').query.maxSeconds).toBe(30);
  });
});
