import { type RawBuilder, type Store, sql } from '@pacioli/core';

const maxRowsPerStep = 5_000;

/** Removes expired rows in batches, so that locks are held briefly. */
export class Expiry {
  readonly #store: Store;

  constructor(use: { readonly store: Store }) {
    this.#store = use.store;
  }

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const hasEnded = sql`expires_at <= ${now}`;
    await this.#remove('mcp_authorization_request', hasEnded, signal);
    await this.#remove('mcp_authorization_code', hasEnded, signal);
    await this.#remove('mcp_token', hasEnded, signal);
    await this.#remove('mcp_token_family', hasEnded, signal);
    await this.#remove('mcp_used_confirmation', hasEnded, signal);
    // A deactivated client stays, so that its document is not fetched again (O-13).
    await this.#remove('mcp_client', sql`${hasEnded} AND is_active`, signal);
  }

  async #remove(table: string, condition: RawBuilder<unknown>, signal: AbortSignal): Promise<void> {
    for (let removed = maxRowsPerStep; removed === maxRowsPerStep && !signal.aborted; ) {
      const rows = await this.#store.transaction('kernel', (tx) =>
        tx.query(sql`DELETE FROM ${sql.table(table)} WHERE ${condition} AND ctid = ANY (ARRAY(
          SELECT ctid FROM ${sql.table(table)} WHERE ${condition} LIMIT ${maxRowsPerStep})) RETURNING 1 AS gone`),
      );
      removed = rows.length;
    }
  }
}
