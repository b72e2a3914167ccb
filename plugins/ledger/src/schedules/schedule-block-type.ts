import { type BlockType, bareStructure, blockTypes } from '@pacioli/blocks';
import { type Contribution, contribute, invalidInput, type Token } from '@pacioli/core';
import { maxShortChars, problemOfTexts, requireTextWithinLimit } from '../values/index.ts';
import type { ScheduleChanges } from './schedule-changes.ts';
import type { EntryTemplate, ScheduleMetadata } from './schedule-plan.ts';
import type { ScheduleWriter } from './schedule-writer.ts';
import type { StoredSchedules } from './stored-schedules.ts';

/** The payloads of schedules in the block operations; absent fields have their defaults. */
interface TemplatePayload {
  readonly debit_element_id: string;
  readonly credit_element_id: string;
  readonly entry_type?: EntryTemplate['entry_type'];
  readonly memo_template?: string;
  readonly auto_reverse?: boolean;
}

type MetadataPayload = { readonly [K in keyof ScheduleMetadata]?: ScheduleMetadata[K] };

interface CreatePayload {
  readonly name: string;
  readonly element_ids: readonly string[];
  readonly period_start: string;
  readonly period_end: string;
  readonly monthly_amount: number;
  readonly entry_template: TemplatePayload;
  readonly taxonomy_id?: string | null;
  readonly schedule_metadata?: MetadataPayload | null;
  readonly closed_through?: string | null;
  readonly source_transaction_id?: string | null;
}

interface UpdatePayload {
  readonly structure_id: string;
  readonly name?: string | null;
  readonly entry_template?: TemplatePayload | null;
  readonly schedule_metadata?: MetadataPayload | null;
}

interface BlockServices {
  readonly writer: ScheduleWriter;
  readonly changes: ScheduleChanges;
  readonly schedules: StoredSchedules;
}

const displayName = 'Schedule';

/** Blocks that generate monthly entries (reporting 2.5). */
export const scheduleBlockType = (scheduling: Token<BlockServices>): Contribution =>
  contribute(blockTypes, 'schedule', {
    services: { scheduling },
    create: ({ scheduling: use }): Omit<BlockType, 'key'> => ({
      displayName,
      displayPlural: 'Schedules',
      category: 'Schedule',
      icon: 'calendar',
      description: 'Spreads an amount over months and drafts the entry of each.',
      mode: 'declarative',
      conceptArrangement: 'roll_forward',
      memberArrangement: null,
      surfacesInLibrary: false,
      factsShown: 'selected',
      create: async (work, payload) => {
        // The operation has validated the payload against the schedule member of its union.
        const given = payload as unknown as CreatePayload;
        const written = await use.writer.create(work, {
          name: blockName(given.name),
          taxonomyId: given.taxonomy_id ?? null,
          closedThrough: given.closed_through ?? undefined,
          definition: {
            element_ids: given.element_ids,
            period_start: given.period_start,
            period_end: given.period_end,
            monthly_amount: given.monthly_amount,
            entry_template: templateOf(given.entry_template),
            schedule_metadata: given.schedule_metadata == null ? null : metadataOf(given.schedule_metadata),
            source_transaction_id: reference(given.source_transaction_id ?? null),
          },
        });
        return { structureId: written.structure_id };
      },
      update: async (work, payload) => {
        // The operation has validated the payload against the schedule member of its union.
        const given = payload as unknown as UpdatePayload;
        await use.changes.update(work, {
          structureId: given.structure_id,
          name: given.name == null ? null : blockName(given.name),
          entryTemplate: given.entry_template == null ? null : templateOf(given.entry_template),
          metadata: given.schedule_metadata == null ? null : metadataOf(given.schedule_metadata),
        });
        return { structureId: given.structure_id };
      },
      remove: async (work, payload) => {
        // The operation has validated the payload against the schedule member of its union.
        const { structure_id: id } = payload as unknown as UpdatePayload;
        if ((await use.schedules.find(work.tx, id)) === undefined) throw bareStructure(displayName, id);
        await use.changes.remove(work, id);
      },
      mechanics: async (tx, structureIds) => {
        const schedules = await use.schedules.findMany(tx, structureIds);
        const counts = await use.schedules.periodsWithEntries(tx, structureIds);
        return new Map(
          [...schedules].map(([id, { definition }]) => [
            id,
            {
              kind: 'closing_entry_generator',
              entry_template: definition.entry_template,
              schedule_metadata: definition.schedule_metadata,
              periods_with_entries: counts.get(id) ?? 0,
            },
          ]),
        );
      },
    }),
  });

/** Limit of the name of a block. */
const maxNameChars = 255;

/** The caller's free reference to the origin of a schedule, with the limit of other references. */
function reference(sourceTransactionId: string | null): string | null {
  const problem = problemOfTexts({ source_transaction_id: sourceTransactionId }, maxShortChars);
  if (problem !== undefined) throw invalidInput(problem);
  return sourceTransactionId;
}

/** The name of a block, trimmed. */
export function blockName(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > maxNameChars)
    throw invalidInput(`name: 1 to ${maxNameChars} characters are required.`);
  return name;
}

function templateOf(given: TemplatePayload): EntryTemplate {
  requireTextWithinLimit({ 'entry_template.memo_template': given.memo_template });
  return {
    debit_element_id: given.debit_element_id,
    credit_element_id: given.credit_element_id,
    entry_type: given.entry_type ?? 'closing',
    memo_template: given.memo_template ?? '',
    auto_reverse: given.auto_reverse ?? false,
  };
}

function metadataOf(given: MetadataPayload): ScheduleMetadata {
  return {
    method: given.method ?? 'straight_line',
    original_amount: given.original_amount ?? 0,
    residual_value: given.residual_value ?? 0,
    useful_life_months: given.useful_life_months ?? 0,
    asset_element_id: given.asset_element_id ?? null,
    periodic_amounts: given.periodic_amounts ?? null,
  };
}
