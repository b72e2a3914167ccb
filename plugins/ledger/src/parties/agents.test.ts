import { describe, expect, it } from 'vitest';
import { agentTypes, mergeDeep, problemOfAgent } from './agents.ts';

describe('problemOfAgent', () => {
  const good = { agentType: 'customer', name: 'Ann' };

  it('accepts the nine types of agent and rejects another type or a blank name (ledger L-32)', () => {
    for (const agentType of agentTypes) expect(problemOfAgent({ ...good, agentType })).toBeUndefined();
    expect(problemOfAgent({ ...good, agentType: 'friend' })).toContain("Unknown agent_type 'friend'");
    expect(problemOfAgent({ ...good, name: ' ' })).toContain('name:');
  });
});

describe('mergeDeep', () => {
  it('merges nested objects, replaces other values and removes keys that are null (ledger L-35)', () => {
    const before = { keep: 1, list: [1, 2], deep: { a: 1, b: { c: 2 }, gone: true }, text: 'x' };
    const patch = { list: [3], deep: { b: { d: 4 }, gone: null }, text: { now: 'an object' }, fresh: { at: null } };
    expect(mergeDeep(before, patch)).toEqual({
      keep: 1,
      list: [3],
      deep: { a: 1, b: { c: 2, d: 4 } },
      text: { now: 'an object' },
      fresh: {},
    });
    expect(mergeDeep(before, {})).toEqual(before);
  });
});
