import { isDeepStrictEqual } from 'node:util';
import { isServiceError } from '@pacioli/core';
import type { EntitySummary } from '@pacioli/ledger';
import {
  type KnownSecurity,
  problemOfShares,
  requireSourceGraph,
  requireTermsWithinLimits,
} from '../securities/index.ts';
import type { Instrument, InstrumentTerms, TermsMode } from '../terms/index.ts';
import { type ColumnName, isColumn } from './columns.ts';
import { type ImportPlan, type PlannedPosition, positionFields } from './import-plan.ts';
import type { DescribedSecurity, FileRow } from './portfolio-file.ts';
import type { RowProblem } from './row-reader.ts';

/** The data that rows are checked against: the graph, the instrument kinds and the settings. */
export interface CheckContext {
  readonly graphId: string;
  readonly baseCurrency: string;
  readonly known: readonly KnownSecurity[];
  readonly entities: ReadonlyMap<string, EntitySummary>;
  readonly instruments: readonly Instrument[];
  readonly terms: InstrumentTerms;
  readonly termsMode: TermsMode;
  readonly isLenientOnShares: boolean;
}

type Found = { readonly position: PlannedPosition } | { readonly problems: readonly Finding[] };
type Finding = Omit<RowProblem, 'row'>;

/** Checks all rows, and returns what to write or everything that is wrong. */
export function checkRows(
  rows: readonly FileRow[],
  context: CheckContext,
): Pick<ImportPlan, 'positions'> | { readonly problems: readonly RowProblem[] } {
  const lookUp = new Lookup(context);
  const found = rows.map((row) => ({ row: row.row, result: lookUp.find(row) }));
  const problems = found.flatMap(({ row, result }) =>
    'problems' in result ? result.problems.map((problem) => ({ row, ...problem })) : [],
  );
  if (problems.length > 0) return { problems };
  return { positions: found.flatMap(({ result }) => ('position' in result ? [result.position] : [])) };
}

class Lookup {
  readonly #context: CheckContext;
  readonly #byId: ReadonlyMap<string, KnownSecurity>;
  readonly #byName = new Map<string, KnownSecurity[]>();
  readonly #quantityTypes: ReadonlyMap<string, string>;
  /** The rows in which securities stand, by id or by what they are called. */
  readonly #seen = new Map<string, number>();

  constructor(context: CheckContext) {
    this.#context = context;
    this.#byId = new Map(context.known.map((security) => [security.id, security]));
    for (const security of context.known.filter(({ is_active: isActive }) => isActive)) {
      const name = nameKey(security.name, security.security_type, security.security_subtype);
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), security]);
    }
    this.#quantityTypes = new Map(context.instruments.map((each) => [each.key, each.defaultQuantityType]));
  }

  find({ row, security, position }: FileRow): Found {
    const found = typeof security === 'string' ? this.#named(security) : this.#described(security);
    if ('problems' in found) return found;
    const earlier = this.#seen.get(found.key);
    if (earlier !== undefined)
      return rejected(
        null,
        `The security stands in row ${earlier}, too. A portfolio holds it once: join the two rows.`,
      );
    this.#seen.set(found.key, row);
    const quantityType = this.#quantityTypes.get(found.type) ?? 'shares';
    const fields = positionFields(position, { quantityType, currency: this.#context.baseCurrency });
    return { position: { security: found.security, fields } };
  }

  #named(id: string): FoundSecurity | Rejected {
    const known = this.#byId.get(id);
    if (known === undefined) return rejected('security_id', `The graph has no security '${id.slice(0, 40)}'.`);
    if (!known.is_active) return rejected('security_id', `${id} is inactive. Activate it with update-security first.`);
    return { key: id, type: known.security_type, security: id };
  }

  #described(given: DescribedSecurity): FoundSecurity | Rejected {
    const key = nameKey(given.name, given.type, given.subtype);
    const known = this.#byName.get(key) ?? [];
    if (known.length > 1)
      return rejected(
        'security_name',
        `The graph has ${known.length} such securities. Name one in security_id instead.`,
      );
    const [existing] = known;
    if (existing !== undefined) return sameAs(existing, given);
    const problems = this.#problemsOf(given);
    if (problems.length > 0) return { problems };
    const security = {
      name: given.name,
      security_type: given.type,
      security_subtype: given.subtype,
      entity_id: given.entityId,
      source_graph_id: given.sourceGraphId,
      terms: given.terms,
      is_active: true,
      authorized_shares: given.authorizedShares,
      outstanding_shares: given.outstandingShares,
    };
    return { key, type: given.type, security };
  }

  /** The rules that `create-security` applies (S-2 to S-8, T-1). */
  #problemsOf(given: DescribedSecurity): readonly Finding[] {
    const { graphId, terms, termsMode, isLenientOnShares } = this.#context;
    const { sourceGraphId: source } = given;
    const shares = { authorized_shares: given.authorizedShares, outstanding_shares: given.outstandingShares };
    const ofShares = isLenientOnShares ? undefined : problemOfShares(shares);
    return [
      ...this.#issuerProblems(given),
      ...(source === null ? [] : refusal('source_graph_id', () => requireSourceGraph(source, graphId))),
      ...refusal('terms', () => requireTermsWithinLimits(given.terms)),
      ...terms.validateTerms({ type: given.type, terms: given.terms, mode: termsMode }).map(({ pointer, message }) => {
        const key = pointer.slice('/terms/'.length);
        return isColumn(key) ? { column: key, message } : { column: 'terms' as const, message: `${key}: ${message}.` };
      }),
      ...(ofShares === undefined ? [] : [{ column: 'outstanding_shares' as const, message: ofShares }]),
    ];
  }

  #issuerProblems({ entityId, sourceGraphId }: DescribedSecurity): readonly Finding[] {
    if (entityId === null) return [];
    const entity = this.#context.entities.get(entityId);
    if (entity === undefined)
      return [{ column: 'entity_id', message: `The graph has no entity '${entityId.slice(0, 40)}'.` }];
    if (sourceGraphId === null || entity.sourceGraphId === null || entity.sourceGraphId === sourceGraphId) return [];
    return [{ column: 'source_graph_id', message: 'The entity is linked to a different graph. Empty one of the two.' }];
  }
}

interface Rejected {
  readonly problems: readonly Finding[];
}

interface FoundSecurity {
  readonly key: string;
  readonly type: string;
  readonly security: PlannedPosition['security'];
}

const nameKey = (name: string, type: string, subtype: string | null): string => JSON.stringify([name, type, subtype]);

/** A security of the graph that the row describes; what the row says of it must be true. */
function sameAs(existing: KnownSecurity, given: DescribedSecurity): FoundSecurity | Rejected {
  const differs = (stated: unknown, present: unknown): boolean =>
    stated !== null && !isDeepStrictEqual(stated, present);
  const stated = Object.keys(given.terms).length === 0 ? null : given.terms;
  const column = differs(stated, existing.terms)
    ? 'terms'
    : differs(given.entityId, existing.entity_id)
      ? 'entity_id'
      : differs(given.sourceGraphId, existing.source_graph_id)
        ? 'source_graph_id'
        : undefined;
  if (column !== undefined)
    return rejected(column, `The graph has this security, ${existing.id}, with another value. Empty the cell.`);
  return { key: existing.id, type: existing.security_type, security: existing.id };
}

const rejected = (column: ColumnName | null, message: string): Rejected => ({ problems: [{ column, message }] });

/** The refusal of a rule as a problem of the column. */
function refusal(column: ColumnName, rule: () => void): readonly Finding[] {
  try {
    rule();
    return [];
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return [{ column, message: error.message }];
  }
}
