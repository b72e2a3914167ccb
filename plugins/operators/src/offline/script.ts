import { invalidInput } from '@pacioli/core';
import type { LanguageModel, ModelAnswer, ModelBlock, ModelRequest } from '@pacioli/core/ports';
import { objectIn } from '../tools/index.ts';
import { offlineId, offlineUsage } from './offline-usage.ts';

const maxSteps = 100;

/** One answer of a script: a text, or the request for a tool. */
type ScriptStep = { readonly reply: string } | { readonly tool: string; readonly input: unknown };

/** True for the offline provider: a request must not decide the answers of a real one. */
export function acceptsScript(model: LanguageModel): boolean {
  return model.id === offlineId;
}

/** The script in the context of a request, if it has one. Throws 422 for one that cannot be followed. */
export function scriptOf(context: Readonly<Record<string, unknown>>): readonly ScriptStep[] | undefined {
  const given = context['offline_script'];
  if (given === undefined) return undefined;
  if (!Array.isArray(given) || given.length > maxSteps) throw badScript();
  return given.map((step: unknown) => {
    const { reply, tool, input = {} } = objectIn(step);
    if (typeof reply === 'string') return { reply };
    if (typeof tool === 'string') return { tool, input };
    throw badScript();
  });
}

const badScript = () =>
  invalidInput(
    `context.offline_script must be a list of at most ${maxSteps} steps, each {"reply": text} or {"tool": name, "input": {…}}.`,
  );

/** Follows a script: one step for each turn, and an empty text after its end (ai-surface OP-71). */
export function scriptedModel(model: LanguageModel, steps: readonly ScriptStep[]): LanguageModel {
  return {
    id: model.id,
    models: () => model.models(),
    createMessage: async (request) => {
      request.signal.throwIfAborted();
      return answerTo(request, steps[turnOf(request)]);
    },
  };
}

/** The number of turns before this one, each of which ended with the results of its tools. */
function turnOf({ messages }: ModelRequest): number {
  return messages.filter(({ content }) => content.some(({ type }) => type === 'tool_result')).length;
}

function answerTo(request: ModelRequest, step: ScriptStep | undefined): ModelAnswer {
  if (step !== undefined && 'tool' in step) {
    const id = `call_${turnOf(request) + 1}`;
    return answerOf(request, [{ type: 'tool_use', id, name: step.tool, input: step.input }]);
  }
  return answerOf(request, [{ type: 'text', text: step?.reply ?? '' }]);
}

/** An answer of the offline provider, with its usage. */
export function answerOf(request: ModelRequest, content: readonly ModelBlock[]): ModelAnswer {
  return {
    content,
    stopReason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    usage: offlineUsage(request, content),
    model: request.model,
  };
}
