import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountTree, type TreeAccount, type TreeNode } from './account-tree.ts';

function idsOf(nodes: readonly TreeNode<TreeAccount>[]): readonly string[] {
  return nodes.flatMap((node) => [node.account.id, ...idsOf(node.children)]);
}

describe('accountTree', () => {
  it('nests accounts under their parents and makes orphans roots (ledger L-37)', () => {
    const tree = accountTree([
      { id: 'a', parentId: null },
      { id: 'a1', parentId: 'a' },
      { id: 'a11', parentId: 'a1' },
      { id: 'lost', parentId: 'gone' },
    ]);
    expect(tree.map((node) => node.account.id)).toEqual(['a', 'lost']);
    expect(tree[0]?.children[0]?.children[0]).toMatchObject({ account: { id: 'a11' }, depth: 2 });
  });

  it('contains every account exactly once, even when parents form a cycle (ledger L-37)', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    fc.assert(
      fc.property(fc.array(fc.option(fc.constantFrom(...ids)), { minLength: 6, maxLength: 6 }), (parents) => {
        const accounts = ids.map((id, index) => ({ id, parentId: parents[index] ?? null }));
        expect([...idsOf(accountTree(accounts))].sort()).toEqual(ids);
      }),
    );
  });
});
