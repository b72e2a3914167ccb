import { invalidInput, notFound, ServiceError, StoreError, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import { mergeDeep } from '../../parties/index.ts';
import {
  type Actor,
  maxFieldsChars,
  maxLongChars,
  maxShortChars,
  problemOfSize,
  problemOfTexts,
} from '../../values/index.ts';
import type { EventHandler } from '../event-handler.ts';
import { problemOfMatch, problemOfRuledType } from '../event-rules.ts';
import { literalAccounts, readTemplate, ShapeProblem } from './handler-template.ts';
import { type HandlerRow, maxHandlers, type NewHandler, type StoredHandlers } from './stored-handlers.ts';
import type { TenantRules } from './tenant-rules.ts';

/** A change of a handler; null leaves a field as it is. */
export interface HandlerChange {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly event_category: string | null;
  readonly match_source: string | null;
  readonly match_agent_type: string | null;
  readonly match_resource_type: string | null;
  readonly match_metadata_expression: HandlerRow['match_metadata_expression'];
  readonly transaction_template: HandlerRow['transaction_template'] | null;
  readonly priority: number | null;
  readonly is_active: boolean | null;
  /** True approves, false withdraws the approval. */
  readonly approve: boolean | null;
  readonly metadata_patch: HandlerRow['metadata'];
}

/** Adds and changes the rules of the tenant; existing entries stay as they are (ledger L-111). */
export class HandlerEditor {
  readonly #handlers: StoredHandlers;
  readonly #rules: TenantRules;
  readonly #chart: ChartOfAccounts;
  readonly #builtIn: ReadonlySet<string>;

  constructor(parts: {
    readonly handlers: StoredHandlers;
    readonly rules: TenantRules;
    readonly chart: ChartOfAccounts;
    /** The built-in handlers. */
    readonly builtIn: readonly EventHandler[];
  }) {
    this.#handlers = parts.handlers;
    this.#rules = parts.rules;
    this.#chart = parts.chart;
    // Only handlers that first look for a chosen account fall back on the tenant's rules (ledger L-86, L-95).
    this.#builtIn = new Set(parts.builtIn.flatMap(({ key, classified }) => (classified === undefined ? [key] : [])));
  }

  /** Stores a handler and returns it (ledger L-110). */
  async create(tx: Transaction, handler: NewHandler, by: Actor): Promise<HandlerRow> {
    requireName(handler.name);
    const problem = problemOfRuledType(handler.event_type, this.#builtIn.has(handler.event_type));
    if (problem !== undefined) throw invalidInput(problem);
    requireFields(handler);
    await this.#requireTemplate(tx, handler.transaction_template, handler.match_source);
    if ((await this.#handlers.countForCreation(tx)) >= maxHandlers)
      throw invalidInput(`A graph has at most ${maxHandlers} handlers. Change an existing one instead.`);
    const created = await this.#handlers.create(tx, handler, by);
    if (created === undefined) throw nameTaken(handler.name);
    return created;
  }

  /** Changes a handler and returns its next version. */
  async update(tx: Transaction, change: HandlerChange, by: Actor): Promise<HandlerRow> {
    const handler = await this.#handlers.findForUpdate(tx, change.id);
    if (handler === undefined) throw notFound(`Event handler not found: ${change.id}`);
    const { id: _id, metadata_patch: patch, is_active, ...others } = change;
    const changesMore = Object.values(others).some((value) => value !== null) || Object.keys(patch).length > 0;
    if (handler.origin === 'hub' && changesMore)
      throw hubHandlerError('Only is_active of a handler from the hub can change.');
    if (!changesMore && is_active === null) return handler;
    if (change.name !== null) {
      requireName(change.name);
      if (await this.#handlers.isNameTaken(tx, change.name, handler.id)) throw nameTaken(change.name);
    }
    requireFields({ ...change, metadata: mergeDeep(handler.metadata, patch) });
    const source = change.match_source ?? handler.match_source;
    if (change.transaction_template !== null) await this.#requireTemplate(tx, change.transaction_template, source);
    const approval = { true: [by.userId, by.now], false: [null, null] } as const;
    const [approvedBy, approvedAt] =
      change.approve === null
        ? [handler.approved_by, handler.approved_at]
        : approval[change.approve ? 'true' : 'false'];
    const fields = {
      name: change.name ?? handler.name,
      description: change.description ?? handler.description,
      event_category: change.event_category ?? handler.event_category,
      match_source: source,
      match_agent_type: change.match_agent_type ?? handler.match_agent_type,
      match_resource_type: change.match_resource_type ?? handler.match_resource_type,
      match_metadata_expression: change.match_metadata_expression ?? handler.match_metadata_expression,
      transaction_template: change.transaction_template ?? handler.transaction_template,
      priority: change.priority ?? handler.priority,
      is_active: is_active ?? handler.is_active,
      approved_by: approvedBy,
      approved_at: approvedAt,
      metadata: mergeDeep(handler.metadata, patch),
    };
    try {
      return await this.#handlers.update(tx, handler.id, fields, by.now);
    } catch (error) {
      // Another handler took the name after it was checked.
      if (error instanceof StoreError && error.code === 'unique') throw nameTaken(fields.name);
      throw error;
    }
  }

  /** Requires a valid template, and that the accounts it names without a path exist. */
  async #requireTemplate(tx: Transaction, template: unknown, source: string | null): Promise<void> {
    const names = literalAccounts(readable(template));
    // The provider of an external id may only be known with the event (ledger L-105).
    const known = source === null ? names.filter(({ by }) => by !== 'external') : names;
    await this.#rules.accounts(tx, known, { source: source ?? '', connectionId: null });
    const ids = [...new Set(known.filter(({ by }) => by === 'id').map(({ name }) => name))];
    const found = ids.length === 0 ? new Map() : await this.#chart.find(tx, ids);
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0)
      throw invalidInput(`Element(s) not found: [${missing.join(', ')}]`, { element_ids: missing });
  }
}

function readable(template: unknown): ReturnType<typeof readTemplate> {
  try {
    return readTemplate(template);
  } catch (error) {
    if (error instanceof ShapeProblem) throw invalidInput(error.message);
    throw error;
  }
}

/** Checks the vocabularies and sizes of the fields that are given. */
function requireFields(
  handler: Omit<HandlerChange, 'id' | 'is_active' | 'approve' | 'metadata_patch' | 'priority'> & {
    readonly metadata: HandlerRow['metadata'];
  },
): void {
  const { match_source, match_metadata_expression, transaction_template, metadata } = handler;
  const problem =
    problemOfMatch({
      eventCategory: handler.event_category,
      agentType: handler.match_agent_type,
      resourceType: handler.match_resource_type,
    }) ??
    problemOfTexts({ match_source }, maxShortChars) ??
    problemOfTexts({ description: handler.description }, maxLongChars) ??
    problemOfSize({ match_metadata_expression, transaction_template, metadata }, maxFieldsChars);
  if (problem !== undefined) throw invalidInput(problem);
}

function requireName(name: string): void {
  if (name.trim() === '' || name.length > 200) throw invalidInput('name: 1 to 200 characters are required.');
}

function nameTaken(name: string): ServiceError {
  return new ServiceError('conflict', 'ALREADY_EXISTS', `An event handler named '${name}' already exists.`);
}

/** Rows of the hub are shared between tenants (ledger L-110, L-111). */
export function hubHandlerError(message: string): ServiceError {
  return new ServiceError('forbidden', 'HUB_HANDLER', message);
}
