import type { ModelAnswer, ModelBlock, ModelMessage, ModelRequest } from '@pacioli/core/ports';
import { answerOf } from './script.ts';

/** A call that the planner can ask for. */
interface Plan {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const maxQuoteLength = 2_000;
const statements: readonly (readonly [RegExp, string])[] = [
  [/\bbalance sheet\b|\bassets?\b|\bliabilit(?:y|ies)\b/i, 'balance_sheet'],
  [/\bcash flows?\b/i, 'cash_flow_statement'],
  [/\bincome\b|\bprofit\b|\brevenues?\b|\bexpenses?\b|\bnet loss\b/i, 'income_statement'],
  [/\bcash\b|\bledger\b/i, 'balance_sheet'],
];
const holdings = /\bportfolios?\b|\bholdings?\b|\bpositions?\b/i;
const search = /^\s*search\s+(?:for\s+)?(?<words>.+)$/is;
const countByLabel = 'MATCH (n) RETURN label(n) AS label, count(n) AS nodes ORDER BY nodes DESC, label LIMIT 25';

/** Answers as a model would: first by asking for a tool, then from its result (ai-surface OP-71). */
export function plannedAnswer(request: ModelRequest): ModelAnswer {
  const results = resultsOf(request.messages);
  const last = results.at(-1);
  if (last !== undefined && !last.isError) return text(request, `Result of ${last.name}:\n\n${quoted(last.text)}`);
  const asked = new Set(results.map(({ name }) => name));
  const plan = plansFor(questionOf(request.messages)).find(
    ({ tool }) => !asked.has(tool) && request.tools.some(({ name }) => name === tool),
  );
  if (plan !== undefined) return toolCall(request, plan, results.length);
  return text(
    request,
    last === undefined
      ? 'The offline provider has no tool for this question.'
      : `${last.name} could not be used:\n\n${quoted(last.text)}`,
  );
}

/** The calls to try for a question, best first. */
function plansFor(question: string): readonly Plan[] {
  const plans: Plan[] = [];
  const words = search.exec(question)?.groups?.['words'];
  if (words !== undefined) plans.push({ tool: 'search-documents', input: { query: words.trim().slice(0, 500) } });
  if (holdings.test(question))
    plans.push({ tool: 'get-holdings', input: {} }, { tool: 'get-portfolio-block', input: {} });
  const statement = statements.find(([pattern]) => pattern.test(question))?.[1];
  if (statement !== undefined) plans.push({ tool: 'live-financial-statement', input: { statement_type: statement } });
  return [...plans, { tool: 'read-graph-cypher', input: { query: countByLabel } }];
}

/** The text of the last turn of the user, without the background data before the question. */
function questionOf(messages: readonly ModelMessage[]): string {
  const texts = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'))
    .filter((each) => each !== '');
  return (texts.at(-1) ?? '').split('\n\nQuestion:\n').at(-1) ?? '';
}

const resultsOf = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ content }) =>
    content.filter((block): block is Extract<ModelBlock, { type: 'tool_result' }> => block.type === 'tool_result'),
  );

const quoted = (result: string): string =>
  `\`\`\`\n${result.length <= maxQuoteLength ? result : `${result.slice(0, maxQuoteLength)}…`}\n\`\`\``;

const text = (request: ModelRequest, content: string): ModelAnswer =>
  answerOf(request, [{ type: 'text', text: content }]);

const toolCall = (request: ModelRequest, { tool, input }: Plan, earlier: number): ModelAnswer =>
  answerOf(request, [{ type: 'tool_use', id: `call_${earlier + 1}`, name: tool, input }]);
