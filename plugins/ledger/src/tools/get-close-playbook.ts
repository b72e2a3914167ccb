import { defineTool, model, nullable, toolCatalog } from '@pacioli/core';
import { Type } from 'typebox';
import { closing } from '../books.ts';

/** A step of a close. It is shown only if its tool is listed for the caller. */
interface Step {
  readonly tool: string;
  readonly instruction: string;
  /** The gates that this step clears (ledger 7.3). */
  readonly gates: readonly string[];
}

const steps: readonly Step[] = [
  {
    tool: 'sync-connection',
    instruction: 'Synchronize each connected accounting system through the last day of the month.',
    gates: ['sync_stale'],
  },
  {
    tool: 'create-event-block',
    instruction: 'Record the events of the month that are missing; preview each one first.',
    gates: [],
  },
  {
    tool: 'promote-obligations',
    instruction: 'Draft the entries of schedules whose month is over.',
    gates: ['pending_obligations', 'stranded_obligations'],
  },
  {
    tool: 'resolve-reconciling-item',
    instruction: 'Resolve each event that is flagged for reconciliation; preview the resolution first.',
    gates: ['reconciling_items'],
  },
  {
    tool: 'get-unmapped-elements',
    instruction: 'Map accounts that have no reporting concept, or their balances are missing in statements.',
    gates: [],
  },
  {
    tool: 'list-period-drafts',
    instruction: 'Review the drafts that the close will post: all must balance. Show them to a person.',
    gates: [],
  },
  {
    tool: 'close-period',
    instruction: 'Close the month once nothing blocks it and a person agrees.',
    gates: ['sequence_violation', 'period_already_closed', 'period_incomplete'],
  },
  {
    tool: 'create-report',
    instruction: 'Create the report of the month. A person reviews and files it: filing is not a tool.',
    gates: [],
  },
];

const PlaybookStep = model('PlaybookStep', {
  step: Type.Integer(),
  tool: Type.String(),
  instruction: Type.String(),
  blockers: Type.Array(Type.String()),
});

export default defineTool({
  name: 'get-close-playbook',
  title: 'Get the close playbook',
  description:
    'The steps that close the next month, in order, each with its tool and the blockers that it clears. Call it first ' +
    'when you close a month, and again after a step to see what is left.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant'], domain: 'ledger' },
  input: model('GetClosePlaybookArguments', {}, { closed: true }),
  output: model('ClosePlaybook', {
    period: nullable(Type.String()),
    closed_through: nullable(Type.String()),
    closeable_now: Type.Boolean(),
    blockers: Type.Array(Type.String()),
    advice: Type.String(),
    steps: Type.Array(PlaybookStep),
  }),
  services: { closing, catalog: toolCatalog },

  async handle({ ctx, use }) {
    const { caller, graph } = ctx;
    const today = ctx.now().toISOString().slice(0, 10);
    const calendar = await ctx.transaction((tx) => use.closing.calendarReader.view(tx, graph.id, today));
    const period = calendar?.catch_up_sequence[0] ?? null;
    const blockers = calendar?.blockers ?? [];
    const listed = new Set((await use.catalog.list({ caller, graphId: graph.id })).map(({ name }) => name));
    const open = period === null ? [] : steps.filter(({ tool }) => listed.has(tool));
    return {
      period,
      closed_through: calendar?.closed_through ?? null,
      closeable_now: calendar?.closeable_now ?? false,
      blockers,
      advice: adviceFor(calendar, period, blockers),
      steps: open.map(({ tool, instruction, gates }, index) => ({
        step: index + 1,
        tool,
        instruction,
        blockers: blockers.filter((blocker) => gates.includes(blocker)),
      })),
    };
  },
});

function adviceFor(
  calendar: { readonly close_target: string | null } | undefined,
  period: string | null,
  blockers: readonly string[],
): string {
  if (calendar === undefined) return 'The books have no calendar. Ask a person to initialize them.';
  if (calendar.close_target === null)
    return 'The books have no close target, so no month is to be closed. Ask a person to set one.';
  if (period === null) return 'Every month up to the target is closed. There is nothing to do.';
  if (blockers.length === 0) return `Nothing blocks the close of ${period}.`;
  return `${period} cannot be closed yet. Work through the steps that have blockers.`;
}
