import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { type ListedTool, oneLine } from '@pacioli/core';

interface Template extends Prompt {
  /** The tool without which the prompt is of no use. */
  readonly needs: string;
  text(given: Readonly<Record<string, string>>): string;
}

const templates: readonly Template[] = [
  {
    name: 'compare-filers',
    title: 'Compare filers',
    description: 'Compares a statement of several companies side by side.',
    needs: 'financial-statement-analysis',
    arguments: [{ name: 'companies', description: 'Tickers or names, divided by commas.', required: true }],
    text: ({ companies }) =>
      `Compare the income statements of these companies for their latest fiscal year: ${companies}. ` +
      'Show revenue, gross profit, operating income and net income side by side, and say which facts are missing.',
  },
  {
    name: 'month-end-close',
    title: 'Month-end close',
    description: 'Works through the close of a month and stops before it is locked.',
    needs: 'close-period',
    arguments: [{ name: 'period', description: 'The month as YYYY-MM.', required: true }],
    text: ({ period }) =>
      `Prepare the close of ${period}. Check what is missing, draft what can be drafted, list what needs a decision of ` +
      'mine, and ask me before you lock the month.',
  },
  {
    name: 'portfolio-review',
    title: 'Portfolio review',
    description: 'Reviews the holdings of a portfolio.',
    needs: 'create-portfolio-block',
    arguments: [{ name: 'portfolio', description: 'The name or id of the portfolio.', required: true }],
    text: ({ portfolio }) =>
      `Review the portfolio ${portfolio}: its positions by issuer, their weights and gains, and what stands out.`,
  },
];

/** The longest argument of a prompt, in characters. */
const maxArgumentCharacters = 200;

/** The prompts whose tools are listed (ai-surface M-62). */
export function promptsFor(tools: readonly ListedTool[]): Prompt[] {
  const names = new Set(tools.map(({ name }) => name));
  return templates.filter(({ needs }) => names.has(needs)).map(({ needs: _needs, text: _text, ...prompt }) => prompt);
}

/** The messages of a prompt; undefined if it does not exist or lacks an argument. */
export function promptMessages(
  tools: readonly ListedTool[],
  name: string,
  given: Readonly<Record<string, string>>,
): GetPromptResult | undefined {
  const prompt = promptsFor(tools).find((each) => each.name === name);
  const template = templates.find((each) => each.name === name);
  if (prompt === undefined || template === undefined) return undefined;
  const isComplete = (prompt.arguments ?? []).every(
    ({ name: argument }) => typeof given[argument] === 'string' && given[argument].length <= maxArgumentCharacters,
  );
  if (!isComplete) return undefined;
  // A value is part of a sentence: on a line of its own, it could pass for an instruction of the person.
  const values = Object.fromEntries(Object.entries(given).map(([argument, value]) => [argument, oneLine(value)]));
  return {
    description: template.description ?? '',
    messages: [{ role: 'user', content: { type: 'text', text: template.text(values) } }],
  };
}
