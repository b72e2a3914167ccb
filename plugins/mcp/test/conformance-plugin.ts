import { definePlugin, defineTool, model, noteChanges, ServiceError } from '@pacioli/core';
import { greet, taskOperations } from './conformance-tasks.ts';

// The names are those that the conformance suite of the protocol calls.

const nothing = (name: string) => model(name, {}, { closed: true });

const simpleText = defineTool({
  name: 'test_simple_text',
  title: 'Simple text',
  description: 'Returns a text.',
  role: 'viewer',
  effect: 'read',
  input: nothing('SimpleText'),
  handle: async () => 'This is a simple text response for testing.',
});

const failure = defineTool({
  name: 'test_error_handling',
  title: 'Failure',
  description: 'Always fails.',
  role: 'viewer',
  effect: 'read',
  input: nothing('ErrorHandling'),
  handle: async () => {
    throw new ServiceError('conflict', 'INTENDED', 'This tool intentionally returns an error for testing');
  },
});

const progress = defineTool({
  name: 'test_tool_with_progress',
  title: 'Progress',
  description: 'Reports three steps.',
  role: 'viewer',
  effect: 'read',
  isLong: true,
  input: nothing('ToolWithProgress'),
  async handle({ ctx }) {
    for (const percent of [0, 50, 100]) ctx.report(`Completed step ${percent} of 100`, percent);
    return { done: true };
  },
});

let isOtherToolOn = false;

const other = defineTool({
  name: 'test_other_tool',
  title: 'Other tool',
  description: 'Is listed while it is switched on.',
  role: 'viewer',
  effect: 'read',
  input: nothing('OtherTool'),
  isOn: () => isOtherToolOn,
  handle: async () => 'It is on.',
});

const toolChange = defineTool({
  name: 'test_trigger_tool_change',
  title: 'Change of the tools',
  description: 'Switches the other tool on or off.',
  role: 'member',
  effect: 'write',
  input: nothing('TriggerToolChange'),
  async handle({ ctx }) {
    isOtherToolOn = !isOtherToolOn;
    await ctx.transaction((tx) => noteChanges(tx, [{ kind: 'tools' }]));
    return { isOn: isOtherToolOn };
  },
});

const confirmed = (name: string) =>
  defineTool({
    name,
    title: 'Confirmed',
    description: 'Runs once a person has confirmed it.',
    role: 'member',
    effect: 'destructive',
    confirmation: 'Erases everything there is.',
    input: model(name, {}, { closed: true }),
    handle: async () => ({ done: true }),
  });

/** The tools that the conformance suite calls, except those whose results are no texts, which the catalog cannot have. */
export const conformancePlugin = definePlugin({
  name: 'conformance',
  title: 'Conformance',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'conformance',
  operations: taskOperations,
  tools: [
    greet,
    simpleText,
    failure,
    progress,
    other,
    toolChange,
    confirmed('test_input_required_result_elicitation'),
    confirmed('test_input_required_result_tampered_state'),
  ],
});
