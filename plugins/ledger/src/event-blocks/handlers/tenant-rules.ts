import { invalidInput, type Transaction } from '@pacioli/core';
import { type Account, ambiguityMessage, type ChartOfAccounts, preferPrimaryChart } from '@pacioli/taxonomy';
import { retainedCode } from '../../accounts/index.ts';
import type { HandledEvent, JournalPlan, PlannedEntry } from '../../journal/index.ts';
import type { StoredAgents } from '../../parties/index.ts';
import { problemOfPostingDate } from '../../values/index.ts';
import { type Choice, chooseHandler } from './handler-match.ts';
import { type AccountName, type FilledLeg, fillTemplate, readTemplate } from './handler-template.ts';
import type { HandlerRow, StoredHandlers } from './stored-handlers.ts';
import { ValueProblem } from './template-values.ts';

/**
 * Accounts by a role that every chart has, as trait and sub-classification; the first in the order of codes (ledger
 * L-105). Three of them share both with other accounts and are identified by the code that all templates use (ledger
 * 1.3).
 */
const roles: Readonly<Record<string, readonly [trait: string, subClassification: string, code?: string]>> = {
  cash: ['asset', 'cash'],
  ar: ['asset', 'receivable'],
  prepaid: ['asset', 'prepaid'],
  fixed_asset: ['asset', 'fixed_asset'],
  accum_depr: ['contraAsset', 'fixed_asset'],
  ap: ['liability', 'payable'],
  payroll_liab: ['liability', 'accrued', '2200'],
  retained: ['equity', 'equity', retainedCode],
  revenue: ['revenue', 'operating'],
  depr_exp: ['expense', 'depreciation'],
  gain_loss: ['expense', 'non_operating', '7200'],
};

export interface RulesParts {
  readonly chart: ChartOfAccounts;
  readonly agents: StoredAgents;
  readonly handlers: StoredHandlers;
}

/** Chooses and applies the rules that a tenant wrote for its event types (ledger 5.9). */
export class TenantRules {
  readonly #parts: RulesParts;

  constructor(parts: RulesParts) {
    this.#parts = parts;
  }

  /** The rule for an event; undefined when none matches. One statement, and one for the agent if there is one. */
  async choose(tx: Transaction, event: HandledEvent): Promise<Choice<HandlerRow> | undefined> {
    const candidates = await this.#parts.handlers.candidates(tx, event.eventType);
    if (candidates.length === 0) return undefined;
    const agent = event.agentId === null ? undefined : await this.#parts.agents.find(tx, event.agentId);
    return chooseHandler(candidates, {
      eventCategory: event.eventCategory,
      source: event.source,
      agentType: agent?.agent_type ?? null,
      resourceType: event.resourceType,
      metadata: event.metadata,
    });
  }

  /** Plans the drafts that a rule makes of an event, each in its own transaction (ledger L-106). */
  async plan(tx: Transaction, event: HandledEvent, rule: HandlerRow): Promise<JournalPlan> {
    const postingDate = (event.effectiveAt ?? event.occurredAt).slice(0, 10);
    const dateProblem = problemOfPostingDate(postingDate);
    if (dateProblem !== undefined) throw invalidInput(`The date of the event: ${dateProblem}`);
    const filled = filledEntries(event, rule);
    const accounts = await this.accounts(
      tx,
      filled.flatMap((legs) => legs.map(({ account }) => account)),
      { source: event.source, connectionId: textAt(event.metadata, 'connection_id') },
    );
    const entries = filled.map(
      (legs): PlannedEntry => ({
        postingDate,
        memo: event.description ?? rule.name,
        type: 'standard',
        status: 'draft',
        reversalOf: null,
        lines: legs.map(({ side, account, amount }) => ({
          elementId: accounts(account),
          debit: side === 'debit' ? amount : 0n,
          credit: side === 'credit' ? amount : 0n,
          description: null,
          metadata: null,
        })),
      }),
    );
    return {
      eventStatus: 'classified',
      transactionId: null,
      oneTransactionEach: true,
      entries,
      provenance: 'event_handler',
      rule: { id: rule.id, version: rule.version },
    };
  }

  /**
   * Resolves references to accounts, with one statement for each kind of reference. An id is returned unchecked,
   * because posting to it checks that it exists.
   */
  async accounts(
    tx: Transaction,
    names: readonly AccountName[],
    of: { readonly source: string; readonly connectionId: string | null },
  ): Promise<(name: AccountName) => string> {
    const wanted = (by: AccountName['by']) => [
      ...new Set(names.filter((name) => name.by === by).map(({ name }) => name)),
    ];
    const [codes, external, roleNames] = [wanted('code'), wanted('external'), wanted('role')];
    const found = {
      code: codes.length === 0 ? new Map<string, Account>() : await this.#parts.chart.findByCode(tx, codes),
      external:
        external.length === 0
          ? new Map<string, Account>()
          : await this.#parts.chart.findByExternalId(tx, { ...of, ids: external }),
      role: await this.#byRole(tx, roleNames),
    };
    const missing = names.find((name) => name.by !== 'id' && found[name.by].get(name.name)?.isActive !== true);
    if (missing !== undefined) throw invalidInput(`No active account was found for '${missing.by}:${missing.name}'.`);
    return ({ by, name }) => (by === 'id' ? name : (found[by].get(name)?.id ?? name));
  }

  async #byRole(tx: Transaction, names: readonly string[]): Promise<ReadonlyMap<string, Account>> {
    const found = new Map<string, Account>();
    if (names.length === 0) return found;
    const accounts = await this.#parts.chart.all(tx);
    const primaryId = await this.#parts.chart.primaryId(tx);
    for (const name of names) {
      const [trait, subClassification, code] = roles[name] ?? [];
      if (trait === undefined)
        throw invalidInput(`'role:${name}' is not a role of an account. Roles are ${Object.keys(roles).join(', ')}.`);
      const all = accounts.filter(
        (each) =>
          each.trait === trait &&
          each.subClassification === subClassification &&
          (code === undefined || each.code === code) &&
          !each.isPlaceholder,
      );
      const [account, ...others] = preferPrimaryChart(all, primaryId);
      if (account === undefined) continue;
      // Within a chart the first by code wins; across two charts the reference is ambiguous (ledger L-105).
      const rival = others.find(({ taxonomyId }) => taxonomyId !== account.taxonomyId);
      if (rival !== undefined) throw invalidInput(ambiguityMessage(`role:${name}`, [account, rival]));
      found.set(name, account);
    }
    return found;
  }
}

function filledEntries(event: HandledEvent, rule: HandlerRow): readonly (readonly FilledLeg[])[] {
  try {
    return fillTemplate(readTemplate(rule.transaction_template), {
      event: {
        id: event.id,
        event_type: event.eventType,
        event_category: event.eventCategory,
        agent_id: event.agentId,
        resource_type: event.resourceType,
        resource_element_id: event.resourceElementId,
        occurred_at: event.occurredAt,
        effective_at: event.effectiveAt,
        source: event.source,
        external_id: event.externalId,
        amount: event.amount,
        amount_abs: event.amount === null ? null : Math.abs(event.amount),
        currency: event.currency,
        description: event.description,
        metadata: event.metadata,
      },
      handler: {
        id: rule.id,
        name: rule.name,
        event_type: rule.event_type,
        origin: rule.origin,
        priority: rule.priority,
        metadata: rule.metadata,
      },
    });
  } catch (error) {
    if (error instanceof ValueProblem) throw invalidInput(`Handler '${rule.name}': ${error.message}`);
    throw error;
  }
}

function textAt(fields: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
}
