import { invalidInput, type Log, notFound, type Transaction } from '@pacioli/core';
import type { InvestorSettings } from '../config.ts';
import type { InstrumentTerms, TermsMode } from '../terms/index.ts';
import { type Actor, lockForSource, maxNameChars, requiredText } from '../values/index.ts';
import type { Issuers } from './issuers.ts';
import {
  problemOfShares,
  requireSourceGraph,
  requireTermsWithinLimits,
  securityTypeOf,
  subtypeOf,
  type Terms,
  termsRefused,
} from './security-rules.ts';
import type { SecurityFields, SecurityRow, StoredSecurities } from './stored-securities.ts';

/** A new security as the caller sends it. */
export interface NewSecurity {
  readonly name: string;
  readonly security_type: string;
  readonly security_subtype?: string | null;
  readonly entity_id?: string | null;
  readonly source_graph_id?: string | null;
  readonly terms?: Terms;
  readonly authorized_shares?: number | null;
  readonly outstanding_shares?: number | null;
}

/** Changes of a security: an absent field stays; null clears a field that may be empty, and leaves the others (I-30). */
export interface SecurityPatch {
  readonly name?: string | null;
  readonly security_type?: string | null;
  readonly security_subtype?: string | null;
  readonly entity_id?: string | null;
  readonly source_graph_id?: string | null;
  readonly terms?: Terms | null;
  readonly is_active?: boolean | null;
  readonly authorized_shares?: number | null;
  readonly outstanding_shares?: number | null;
}

interface EditorServices {
  readonly stored: StoredSecurities;
  readonly issuers: Issuers;
  readonly settings: InvestorSettings;
  readonly terms: InstrumentTerms;
}

/** Creates, changes and deactivates securities (investor 3). */
export class SecurityEditor {
  readonly #stored: StoredSecurities;
  readonly #issuers: Issuers;
  readonly #settings: InvestorSettings;
  readonly #terms: InstrumentTerms;

  constructor(use: EditorServices) {
    this.#stored = use.stored;
    this.#issuers = use.issuers;
    this.#settings = use.settings;
    this.#terms = use.terms;
  }

  async create(tx: Transaction, given: NewSecurity, by: Actor & { readonly log: Log }): Promise<SecurityRow> {
    const source = given.source_graph_id ?? null;
    if (source !== null) requireSourceGraph(source, tx.graphId);
    const plain = {
      name: requiredText(given.name, 'name', maxNameChars),
      security_type: securityTypeOf(given.security_type),
      security_subtype: subtypeOf(given.security_subtype),
      source_graph_id: source,
      terms: given.terms ?? {},
      is_active: true,
      authorized_shares: given.authorized_shares ?? null,
      outstanding_shares: given.outstanding_shares ?? null,
    };
    this.#checkTerms(plain, this.#settings.termsValidation);
    this.#checkShares(plain, by.log);
    const issuer =
      given.entity_id == null
        ? await this.#issuers.ofSource(tx, source)
        : await this.#issuers.named(tx, given.entity_id);
    await this.#issuers.requireSameSource(tx, issuer.entity_id, source);
    return this.#stored.create(tx, { ...plain, ...issuer }, by);
  }

  /** Throws 404 for an unknown security. An empty patch changes nothing (S-10, S-15). */
  async update(
    tx: Transaction,
    id: string,
    { patch, now, log }: { readonly patch: SecurityPatch; readonly now: Date; readonly log: Log },
  ): Promise<SecurityRow> {
    // Before the row: a share that is being received locks its source graph and then the rows that it links.
    if (patch.source_graph_id != null) await lockForSource(tx, patch.source_graph_id);
    const present = await this.#require(tx, id);
    if (Object.values(patch).every((value) => value === undefined)) return present;
    const plain = patchedFields(present, patch);
    if (plain.source_graph_id !== null && plain.source_graph_id !== present.source_graph_id)
      requireSourceGraph(plain.source_graph_id, tx.graphId);
    if (patch.terms != null) this.#checkTerms(plain, this.#settings.termsValidation);
    // Stored terms may have been accepted in another mode, so that of a changed type is never strict (S-14).
    else if (plain.security_type !== present.security_type && this.#settings.termsValidation !== 'off')
      this.#checkTerms(plain, 'known-keys');
    if (patch.authorized_shares !== undefined || patch.outstanding_shares !== undefined) this.#checkShares(plain, log);
    const issuer = await this.#patchedIssuer(tx, present, { patch, source: plain.source_graph_id });
    await this.#issuers.requireSameSource(tx, issuer.entity_id, plain.source_graph_id);
    return this.#stored.update(tx, id, { ...plain, ...issuer }, now);
  }

  /** Deactivates a security; its positions stay. Succeeds again for an inactive one (S-20, S-21). */
  async deactivate(tx: Transaction, id: string, now: Date): Promise<void> {
    const present = await this.#require(tx, id);
    if (present.is_active) await this.#stored.update(tx, id, { ...present, is_active: false }, now);
  }

  async #require(tx: Transaction, id: string): Promise<SecurityRow> {
    const present = await this.#stored.findForUpdate(tx, id);
    if (present === undefined) throw notFound('Security not found.');
    return present;
  }

  /** A named issuer is set or cleared; one found by the old source graph is looked up by the new one (S-12, S-13). */
  async #patchedIssuer(
    tx: Transaction,
    present: SecurityRow,
    { patch, source }: { readonly patch: SecurityPatch; readonly source: string | null },
  ): Promise<Pick<SecurityFields, 'entity_id' | 'issuer_origin'>> {
    if (patch.entity_id === null) return { entity_id: null, issuer_origin: null };
    if (patch.entity_id !== undefined) return this.#issuers.named(tx, patch.entity_id);
    const { entity_id, issuer_origin, source_graph_id: presentSource } = present;
    if (source === presentSource || issuer_origin === 'caller') return { entity_id, issuer_origin };
    return this.#issuers.ofSource(tx, source);
  }

  #checkTerms({ security_type: type, terms }: Pick<SecurityFields, 'security_type' | 'terms'>, mode: TermsMode): void {
    requireTermsWithinLimits(terms);
    const issues = this.#terms.validateTerms({ type, terms, mode });
    if (issues.length > 0) throw termsRefused(issues);
  }

  #checkShares(shares: Parameters<typeof problemOfShares>[0], log: Log): void {
    const problem = problemOfShares(shares);
    if (problem === undefined) return;
    if (!this.#settings.lenientShares) throw invalidInput(problem);
    log.warn('A security has more outstanding than authorized shares.', { ...shares });
  }
}

function patchedFields(
  present: SecurityRow,
  patch: SecurityPatch,
): Omit<SecurityFields, 'entity_id' | 'issuer_origin'> {
  return {
    name: patch.name == null ? present.name : requiredText(patch.name, 'name', maxNameChars),
    security_type: patch.security_type == null ? present.security_type : securityTypeOf(patch.security_type),
    security_subtype:
      patch.security_subtype === undefined ? present.security_subtype : subtypeOf(patch.security_subtype),
    source_graph_id: patch.source_graph_id === undefined ? present.source_graph_id : patch.source_graph_id,
    terms: patch.terms ?? present.terms,
    is_active: patch.is_active ?? present.is_active,
    authorized_shares: patch.authorized_shares === undefined ? present.authorized_shares : patch.authorized_shares,
    outstanding_shares: patch.outstanding_shares === undefined ? present.outstanding_shares : patch.outstanding_shares,
  };
}
