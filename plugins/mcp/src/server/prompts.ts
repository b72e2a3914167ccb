import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { type ListedTool, oneLine } from '@pacioli/core';

interface Template extends Prompt {
  /** The prompt is listed only with this tool, which its text relies on. */
  readonly requiredTool: string;
  text(given: Readonly<Record<string, string>>): string;
}

const templates: readonly Template[] = [
  {
    name: 'compare-filers',
    title: 'Compare filers',
    description: 'Compares a statement of several companies side by side.',
    requiredTool: 'financial-statement-analysis',
    arguments: [{ name: 'companies', description: 'Tickers or names, separated by commas.', required: true }],
    text: ({ companies }) =>
      `Compare the income statements of these companies for their latest fiscal year: ${companies}. ` +
      'Show revenue, gross profit, operating income and net income side by side, and say which facts are missing.',
  },
  {
    name: 'month-end-close',
    title: 'Month-end close',
    description: 'Works through the close of a month and stops before it is locked.',
    requiredTool: 'close-period',
    arguments: [{ name: 'period', description: 'The month as YYYY-MM.', required: true }],
    text: ({ period }) =>
      `Prepare the close of ${period}. Check what is missing, draft what can be drafted, list what needs a decision of ` +
      'mine, and ask me before you lock the month.',
  },
  {
    name: 'portfolio-review',
    title: 'Portfolio review',
    description: 'Reviews the holdings of a portfolio.',
    requiredTool: 'create-portfolio-block',
    arguments: [{ name: 'portfolio', description: 'The name or id of the portfolio.', required: true }],
    text: ({ portfolio }) =>
      `Review the portfolio ${portfolio}: its positions by issuer, their weights and gains, and what stands out.`,
  },
];

/** The longest argument of a prompt, in characters. */
const maxArgumentCharacters = 200;

/** The refusal of a prompt that `promptMessages` does not make. */
export const unknownPrompt = `Unknown prompt, or an argument is missing or longer than ${maxArgumentCharacters} characters.`;

/** The prompts whose tools are listed (ai-surface M-62). */
export function promptsFor(tools: readonly ListedTool[]): Prompt[] {
  return templatesFor(tools).map(({ requiredTool: _tool, text: _text, ...prompt }) => prompt);
}

/** Makes the messages of a prompt; undefined if it is not listed, or an argument is missing or too long. */
export function promptMessages(
  tools: readonly ListedTool[],
  name: string,
  given: Readonly<Record<string, string>>,
): GetPromptResult | undefined {
  const template = templatesFor(tools).find((each) => each.name === name);
  if (template === undefined) return undefined;
  const { description = '', arguments: parameters = [] } = template;
  const isComplete = parameters.every(({ name: parameter }) => {
    const value = given[parameter];
    return typeof value === 'string' && value.length <= maxArgumentCharacters;
  });
  if (!isComplete) return undefined;
  // A value is part of a sentence: on a line of its own, it could pass for an instruction of the user.
  const values = Object.fromEntries(Object.entries(given).map(([parameter, value]) => [parameter, oneLine(value)]));
  return { description, messages: [{ role: 'user', content: { type: 'text', text: template.text(values) } }] };
}

function templatesFor(tools: readonly ListedTool[]): readonly Template[] {
  return templates.filter(({ requiredTool }) => tools.some(({ name }) => name === requiredTool));
}
