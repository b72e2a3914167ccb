import { columnsOf, type Ids, type RawBuilder, type RowOf, sql, type Transaction, textList } from '@pacioli/core';
import type { InvestorSecurity } from '../rows.gen.ts';
import type { Actor } from '../values/index.ts';
import type { SecurityFields } from './stored-securities.ts';

const columns = columnsOf<InvestorSecurity>()(
  'id',
  'name',
  'security_type',
  'security_subtype',
  'entity_id',
  'source_graph_id',
  'terms',
  'is_active',
);

/** The fields of a stored security that an import of positions reads. */
export type KnownSecurity = RowOf<typeof columns> & Pick<SecurityFields, 'terms'>;

/** Reads and writes many securities at once, each with one statement. */
export class SecurityBatches {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** The securities with these ids and the active ones with these names, locked against being deactivated (S-22). */
  async known(
    tx: Transaction,
    { ids, names }: { readonly ids: readonly string[]; readonly names: readonly string[] },
  ): Promise<readonly KnownSecurity[]> {
    if (ids.length === 0 && names.length === 0) return [];
    return tx.query(sql<KnownSecurity>`
      SELECT ${columns} FROM investor_security WHERE graph_id = ${tx.graphId}
        AND (id = ANY (${textList(ids)}) OR (is_active AND name = ANY (${textList(names)}))) ORDER BY id FOR SHARE`);
  }

  /** Adds securities and returns their ids in the order given. */
  async add(tx: Transaction, securities: readonly SecurityFields[], by: Actor): Promise<readonly string[]> {
    if (securities.length === 0) return [];
    const rows = securities.map((security) => ({ id: this.#ids.make('sec'), ...security }));
    await tx.query(sql`
      INSERT INTO investor_security (graph_id, id, name, security_type, security_subtype, entity_id, issuer_origin,
        source_graph_id, terms, is_active, authorized_shares, outstanding_shares, created_by, created_at, updated_at)
      SELECT ${tx.graphId}, r.id, r.name, r.security_type, r.security_subtype, r.entity_id, r.issuer_origin,
        r.source_graph_id, r.terms, r.is_active, r.authorized_shares, r.outstanding_shares, ${by.userId},
        ${by.now}::timestamptz, ${by.now}::timestamptz
      FROM ${recordset(rows)}`);
    return rows.map(({ id }) => id);
  }
}

function recordset(rows: readonly SecurityFields[]): RawBuilder<unknown> {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r(id text, name text, security_type text,
    security_subtype text, entity_id text, issuer_origin text, source_graph_id text, terms jsonb, is_active boolean,
    authorized_shares bigint, outstanding_shares bigint)`;
}
