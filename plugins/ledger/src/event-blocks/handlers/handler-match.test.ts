import { describe, expect, it } from 'vitest';
import { chooseHandler, type MatchRules } from './handler-match.ts';

const rule = (name: string, more: Partial<MatchRules> = {}): MatchRules => ({
  name,
  priority: 0,
  event_category: null,
  match_source: null,
  match_agent_type: null,
  match_resource_type: null,
  match_metadata_expression: null,
  ...more,
});
const event = {
  eventCategory: 'sales',
  source: 'shop',
  agentType: 'customer',
  resourceType: 'goods',
  metadata: { kind: 'gift', tax: { rate: 7, zones: ['a'] } },
};
const chosen = (...rules: readonly MatchRules[]) => {
  const choice = chooseHandler(rules, event);
  return choice?.kind === 'one' ? choice.handler.name : choice?.among.map(({ name }) => name);
};

describe('chooseHandler', () => {
  it.each([
    [{ event_category: 'purchase' }],
    [{ match_source: 'manual' }],
    [{ match_agent_type: 'vendor' }],
    [{ match_resource_type: 'money' }],
    [{ match_metadata_expression: { kind: 'sale' } }],
    [{ match_metadata_expression: { 'tax.rate.deep': 7 } }],
    [{ match_metadata_expression: { 'tax.zones': ['a', 'b'] } }],
  ])('passes over a handler whose condition does not match: %j (ledger L-107)', (more) => {
    expect(chosen(rule('a', more))).toBeUndefined();
  });

  it('compares metadata paths with or without the prefix metadata, and values deeply (ledger L-107)', () => {
    const matchMetadataExpression = { kind: 'gift', 'metadata.tax.rate': 7, tax: { zones: ['a'], rate: 7 } };
    expect(chosen(rule('a', { match_metadata_expression: matchMetadataExpression }))).toBe('a');
    expect(chosen(rule('b', { match_metadata_expression: { metadata: event.metadata } }))).toBe('b');
  });

  it('prefers the highest priority, then the most conditions, else reports a tie (ledger L-108, L-109)', () => {
    const exact = rule('exact', { match_source: 'shop', event_category: 'sales' });
    expect(chosen(rule('high', { priority: 5 }), exact)).toBe('high');
    expect(chosen(rule('loose'), exact)).toBe('exact');
    expect(chosen(rule('a', { match_source: 'shop' }), rule('b', { event_category: 'sales' }))).toEqual(['a', 'b']);
    expect(chosen()).toBeUndefined();
  });
});
