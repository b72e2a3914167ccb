import { describe, expect, it } from 'vitest';
import { plugins } from '../src/plugins.ts';

/** Goal: no tool deletes or replaces anything before a person could refuse. Method: the definitions of all plugins. */
describe('the tools of all plugins', () => {
  it('say in plain words what a person confirms if they are destructive (ai-surface M-20d)', () => {
    const destructive = plugins.flatMap(({ operations, tools }) => [
      ...operations.flatMap(({ name, effect, mcp }) => {
        if (mcp === undefined || 'held' in mcp || mcp.isRead === true) return [];
        return (mcp.destructive ?? effect === 'destructive') ? [{ name, confirmation: mcp.confirmation }] : [];
      }),
      ...tools.filter(({ effect }) => effect === 'destructive'),
    ]);
    expect(destructive.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['delete-document', 'forget', 'delete-mapping-association', 'write-graph-cypher']),
    );
    expect(destructive.filter(({ confirmation }) => confirmation === undefined).map(({ name }) => name)).toEqual([]);
  });
});
