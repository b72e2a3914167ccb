import type { FactStore, NewFact, RuleEngine, RuleStore } from '@pacioli/blocks';
import { invalidInput, notFound, type Transaction } from '@pacioli/core';
import type { Account, ChartOfAccounts, LibraryReads, NewStructureArc, StructureWrites } from '@pacioli/taxonomy';
import { lockAccounts, requirePostable } from '../journal/index.ts';
import type { Entities } from '../parties/index.ts';
import { boundsOf, majorText, minorDigits, plusDays } from '../values/index.ts';
import type { ScheduleFact } from './schedule-facts.ts';
import type { ScheduleDefinition, ScheduleMonth, SchedulePlan } from './schedule-plan.ts';
import type { ScheduleWork } from './schedule-work.ts';
import type { ScheduleRow } from './stored-schedules.ts';
import { requireHome, type StructureHomes } from './structure-home.ts';

/** The number of rules of a schedule by outcome. */
export type ScheduleRuleSummary = Readonly<Record<string, number>>;

export interface BlockParts {
  readonly structures: StructureWrites;
  readonly library: LibraryReads;
  readonly facts: FactStore;
  readonly rules: RuleStore;
  readonly engine: RuleEngine;
  readonly chart: ChartOfAccounts;
  readonly entities: Entities;
}

type Described = Pick<ScheduleRow, 'structure_id' | 'name' | 'currency' | 'definition'>;

const scheduleHomes: StructureHomes = { kind: 'schedule', types: ['schedule'] };

const hasPart = 'has-part';
const hasPartRole = 'http://www.xbrl.org/2003/arcrole/has-part';

/** The block of a schedule: its structure, facts and rule, which other plugins store (reporting 2.5). */
export class ScheduleBlock {
  readonly #parts: BlockParts;

  constructor(parts: BlockParts) {
    this.#parts = parts;
  }

  /** Requires that every account exists, and that the two legs can be posted to (ledger L-176). */
  async requireElements(tx: Transaction, definition: ScheduleDefinition, currency: string): Promise<void> {
    const asset = definition.schedule_metadata?.asset_element_id ?? null;
    const ids = [...new Set([...definition.element_ids, ...(asset === null ? [] : [asset])])];
    const accounts = await this.#parts.chart.find(tx, ids);
    const missing = ids.filter((id) => !accounts.has(id));
    if (missing.length > 0)
      throw invalidInput(`Element(s) not found: [${missing.join(', ')}]`, { element_ids: missing });
    const { debit_element_id: debit, credit_element_id: credit } = definition.entry_template;
    requirePostable(accounts, [debit, credit], { entries: [{ lines: [], reversalOf: null }] }, currency);
    await lockAccounts(
      tx,
      this.#parts.chart,
      ids.map((elementId) => ({ elementId })),
    );
  }

  async account(tx: Transaction, id: string): Promise<Account> {
    const account = (await this.#parts.chart.find(tx, [id])).get(id);
    if (account === undefined) throw invalidInput(`Element(s) not found: [${id}]`);
    return account;
  }

  /** Creates the structure with its arcs (reporting B-27). */
  async create(
    work: ScheduleWork,
    schedule: {
      readonly name: string;
      readonly definition: ScheduleDefinition;
      readonly taxonomyId: string | null;
      readonly anchorId: string;
    },
  ): Promise<{ readonly structure_id: string; readonly taxonomy_id: string }> {
    const { structures } = this.#parts;
    const taxonomyId =
      schedule.taxonomyId === null
        ? await structures.ensureTaxonomy(work.tx, { type: 'schedule', name: 'Schedules' }, work)
        : await requireHome(structures, work.tx, schedule.taxonomyId, scheduleHomes);
    const structureId = await structures.create(
      work.tx,
      {
        taxonomyId,
        name: schedule.name,
        blockType: 'schedule',
        conceptArrangement: 'roll_forward',
        metadata: { schedule_created_event_id: schedule.anchorId },
        arcs: [...presentation(schedule.definition), ...(await this.#legs(work.tx, schedule.definition))],
      },
      work,
    );
    return { structure_id: structureId, taxonomy_id: taxonomyId };
  }

  /** Updates the structure after a change of name or template. */
  async update(work: ScheduleWork, schedule: Described): Promise<void> {
    const arcs = await this.#legs(work.tx, schedule.definition);
    await this.#parts.structures.patch(work.tx, schedule.structure_id, { name: schedule.name, arcs }, work);
  }

  /** Writes the facts and the sum rule of a plan, and evaluates the rule; null when the sum is not defined. */
  async fill(
    work: ScheduleWork,
    schedule: Described,
    content: { readonly plan: SchedulePlan; readonly facts: readonly ScheduleFact[] },
  ): Promise<ScheduleRuleSummary | null> {
    const { engine, entities, facts, rules } = this.#parts;
    const entity = await entities.primary(work.tx);
    if (entity === undefined) throw notFound('This graph has no entity whose books a schedule could belong to.');
    const { plan } = content;
    const setId = await facts.createSet(work.tx, {
      structureId: schedule.structure_id,
      entityId: entity.id,
      ...windowOf(plan.months),
      factsetType: 'schedule',
      scenarioId: null,
      provenance: provenanceOf(schedule, work.userId),
      createdBy: work.userId,
      now: work.now,
    });
    const rows = content.facts.map((fact) => newFact(fact, schedule.currency));
    await facts.addFacts(work.tx, setId, rows, work.now);
    if (plan.base === null) return null;
    await rules.add(work.tx, [sumRule(work, schedule, plan.base)]);
    const request = { structureIds: [schedule.structure_id], userId: work.userId, now: work.now };
    return (await engine.evaluate(work.tx, request)).summary;
  }

  /** Deletes the facts and the sum rule, before both are rebuilt (ledger L-187). */
  async clear(tx: Transaction, structureId: string): Promise<void> {
    await this.#parts.facts.deleteSets(tx, {
      structureIds: [structureId],
      factsetTypes: ['schedule'],
      scenario: 'actuals',
    });
    await this.dropRule(tx, structureId);
  }

  /** Deletes the sum rule; false when there was none. */
  async dropRule(tx: Transaction, structureId: string): Promise<boolean> {
    return (await this.#parts.rules.removeByStructure(tx, [structureId], { pattern: 'SumEquals' })) > 0;
  }

  /** Deletes the facts of the months after a day and returns how many there were (ledger L-189). */
  async cutFacts(tx: Transaction, structureId: string, lastDay: string): Promise<number> {
    const endingFrom = plusDays(lastDay, 1);
    return this.#parts.facts.deleteFacts(tx, { structureIds: [structureId], scenario: 'actuals', endingFrom });
  }

  /** Changes the total of the sum rule; false when there is none (ledger L-189). */
  async setTotal(work: ScheduleWork, schedule: Described, total: bigint): Promise<boolean> {
    if (!(await this.dropRule(work.tx, schedule.structure_id))) return false;
    await this.addTotal(work, schedule, total);
    return true;
  }

  /** Adds the sum rule to a schedule that has none. */
  async addTotal(work: ScheduleWork, schedule: Described, total: bigint): Promise<void> {
    await this.#parts.rules.add(work.tx, [sumRule(work, schedule, total)]);
  }

  /** Deletes facts, rules, arcs and structure (ledger L-190). */
  async remove(tx: Transaction, structureId: string): Promise<void> {
    const { facts, rules, structures } = this.#parts;
    await facts.deleteSets(tx, { structureIds: [structureId], scenario: 'all' });
    await rules.removeByStructure(tx, [structureId]);
    await structures.remove(tx, [structureId]);
  }

  /** The arcs from the concepts of the two legs to their accounts; none when the library lacks the concepts. */
  async #legs(tx: Transaction, definition: ScheduleDefinition): Promise<readonly NewStructureArc[]> {
    const template = definition.entry_template;
    const sides = [
      ['cm:Debit', template.debit_element_id],
      ['cm:Credit', template.credit_element_id],
    ] as const;
    const arcs: NewStructureArc[] = [];
    for (const [index, [qname, toElementId]] of sides.entries()) {
      const concept = await this.#parts.library.element(tx, { qname });
      if (concept !== undefined)
        arcs.push({
          fromElementId: concept.id,
          toElementId,
          associationType: hasPart,
          arcrole: hasPartRole,
          order: index + 1,
        });
    }
    return arcs;
  }
}

/** The first account is the parent of the others, without an arc to itself, which would be a cycle. */
function presentation({ element_ids: ids }: ScheduleDefinition): readonly NewStructureArc[] {
  const [first] = ids;
  if (first === undefined) return [];
  return [...new Set(ids)].flatMap((id, index) =>
    id === first ? [] : [{ fromElementId: first, toElementId: id, associationType: 'presentation', order: index + 1 }],
  );
}

function windowOf(months: readonly ScheduleMonth[]): { readonly periodStart: string; readonly periodEnd: string } {
  const first = months[0]?.period ?? '';
  return { periodStart: boundsOf(first).start, periodEnd: boundsOf(months.at(-1)?.period ?? first).end };
}

/** The provenance of the facts (reporting 1.3). */
function provenanceOf(schedule: Described, userId: string): Readonly<Record<string, unknown>> {
  const metadata = schedule.definition.schedule_metadata;
  if (metadata?.periodic_amounts != null) {
    const basis = `The amounts of schedule ${schedule.structure_id} were given month by month.`;
    return { origin: 'asserted', source_system: 'pacioli', asserted_by: userId, basis_note: basis };
  }
  return {
    origin: 'schedule',
    structure_id: schedule.structure_id,
    method: metadata?.method ?? 'straight_line',
    params: {
      original_amount: metadata?.original_amount ?? 0,
      residual_value: metadata?.residual_value ?? 0,
      useful_life_months: metadata?.useful_life_months ?? 0,
    },
  };
}

function newFact(fact: ScheduleFact, currency: string): NewFact {
  return {
    elementId: fact.elementId,
    periodStart: fact.periodStart,
    periodEnd: fact.periodEnd,
    periodType: fact.periodStart === null ? 'instant' : 'duration',
    value: majorText(fact.amount, currency),
    unit: currency,
    decimals: String(minorDigits(currency)),
    factScope: fact.scope,
  };
}

/** The rule that the months add up to the amount to be spread (ledger L-181, reporting B-31). */
function sumRule(work: ScheduleWork, schedule: Described, total: bigint) {
  const text = majorText(total, schedule.currency);
  const elementId = schedule.definition.entry_template.debit_element_id;
  return {
    structureId: schedule.structure_id,
    name: `Total of ${schedule.name}`,
    category: 'AutomatedAccountingAndReportingChecks',
    pattern: 'SumEquals',
    checkKind: null,
    expression: `sum($amount) = ${text}`,
    variables: [{ name: 'amount', elementId, qname: null }],
    message: `The months of ${schedule.name} must add up to ${text}.`,
    severity: 'error' as const,
    target: { kind: 'structure' as const, id: schedule.structure_id },
    metadata: { expected_total: text, tolerance: '0.01' },
    createdBy: work.userId,
    now: work.now,
  };
}
