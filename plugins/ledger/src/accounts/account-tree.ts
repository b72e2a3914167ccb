/** The code of retained earnings in all templates (ledger 1.3). */
export const retainedCode = '3200';

/** The fields of an account that place it in a tree. */
export interface TreeAccount {
  readonly id: string;
  readonly parentId: string | null;
}

export interface TreeNode<A extends TreeAccount> {
  readonly account: A;
  readonly depth: number;
  readonly children: readonly TreeNode<A>[];
}

/**
 * Nests accounts under their parents, in the order given. An account whose parent is absent is a root, and so is the
 * first account of a cycle; every account appears once (ledger L-37).
 */
export function accountTree<A extends TreeAccount>(accounts: readonly A[]): readonly TreeNode<A>[] {
  const present = new Set(accounts.map((account) => account.id));
  const children = new Map<string, A[]>();
  for (const account of accounts) {
    const parent = account.parentId !== null && present.has(account.parentId) ? account.parentId : '';
    children.set(parent, [...(children.get(parent) ?? []), account]);
  }
  const placed = new Set<string>();
  const place = (account: A, depth: number): TreeNode<A> => {
    placed.add(account.id);
    const below = (children.get(account.id) ?? []).filter((child) => !placed.has(child.id));
    return { account, depth, children: below.map((child) => place(child, depth + 1)) };
  };
  const roots = (children.get('') ?? []).map((account) => place(account, 0));
  const circles = accounts.filter((account) => !placed.has(account.id));
  return [...roots, ...circles.flatMap((account) => (placed.has(account.id) ? [] : [place(account, 0)]))];
}
