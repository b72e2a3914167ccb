import type { NamedEntity } from '@pacioli/ledger';
import type { DescribedSecurity, FileRow } from './portfolio-file.ts';
import type { RowProblem } from './row-reader.ts';

type Issuer = Pick<DescribedSecurity, 'issuerName' | 'issuerCik'>;

/** Rows with the entities that their issuers are, and what is wrong or left without one. */
export interface RowsWithIssuers {
  readonly rows: readonly FileRow[];
  readonly problems: readonly RowProblem[];
  /** Issuers that are not entities of the graph, each once. */
  readonly unknown: readonly string[];
}

/** Finds issuers by CIK, else by exact name. One that the graph does not have leaves its securities without an issuer. */
export function withIssuers(rows: readonly FileRow[], entities: readonly NamedEntity[]): RowsWithIssuers {
  const problems: RowProblem[] = [];
  const unknown = new Set<string>();
  const found = rows.map((row): FileRow => {
    const { security } = row;
    if (typeof security === 'string' || security.entityId !== null) return row;
    const called = security.issuerName ?? security.issuerCik;
    if (called === null) return row;
    const matches = matching(security, entities);
    if (matches.length > 1) {
      const message = `The graph has ${matches.length} such entities. Name one in entity_id instead.`;
      problems.push({ row: row.row, column: 'issuer_name', message });
    }
    const [entity] = matches;
    if (entity === undefined) unknown.add(called);
    return { ...row, security: { ...security, entityId: entity?.id ?? null } };
  });
  return { rows: found, problems, unknown: [...unknown] };
}

function matching({ issuerName, issuerCik }: Issuer, entities: readonly NamedEntity[]): readonly NamedEntity[] {
  const byCik = issuerCik === null ? [] : entities.filter(({ cik }) => cik === issuerCik);
  return byCik.length > 0 ? byCik : entities.filter(({ name, cik }) => name === issuerName && agrees(cik, issuerCik));
}

/** An entity with another CIK is another company of the same name. */
const agrees = (one: string | null, other: string | null): boolean => one === null || other === null || one === other;
