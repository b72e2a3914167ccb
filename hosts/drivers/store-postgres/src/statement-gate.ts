import assert from 'node:assert/strict';

/**
 * The statements that a part may run inside a transaction. Transaction control, roles and settings belong to the
 * store: a `COMMIT` or `SET ROLE` in between would silently leave the tenant. The gate guards against mistakes,
 * together with the extended protocol, which accepts only one statement per message.
 */
const allowed: ReadonlySet<string> = new Set([
  'select',
  'insert',
  'update',
  'delete',
  'merge',
  'with',
  'values',
  'table',
  'lock',
  'explain',
  'savepoint',
  'release',
]);

const leading = /^(?:\s|\(|--[^\n]*\n|\/\*[\s\S]*?\*\/)*([a-z]+)(?:\s+(to)\b)?/i;
const maxTextsRemembered = 2_000;

export interface StatementGate {
  /** Throws when the statement would change the transaction, the role or a setting. */
  check(text: string): void;
}

/** Caches texts that passed, because the same few hundred recur. */
export function statementGate(): StatementGate {
  const passed = new Set<string>();
  return {
    check(text) {
      if (passed.has(text)) return;
      const match = leading.exec(text);
      const word = match?.[1]?.toLowerCase() ?? '';
      const isRollbackTo = word === 'rollback' && match?.[2] !== undefined;
      assert(
        allowed.has(word) || isRollbackTo,
        `A transaction runs rows of SQL only; "${word}" belongs to the store. Put schema changes into a migration.`,
      );
      assert(!/\bset_config\b/i.test(text), 'Settings of a transaction belong to the store; remove set_config.');
      if (passed.size >= maxTextsRemembered) passed.clear();
      passed.add(text);
    },
  };
}
