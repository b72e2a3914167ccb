import type { OperatorContext } from '../catalog/index.ts';
import { cutResult, orientationTools } from '../tool-loop/index.ts';

/**
 * Describes the graph for the system prompt: its schema and example queries, each fetched once (ai-surface 7.5). A tool
 * that this graph lacks, or that fails, is left out. The calls have numbers below 0, where those of the loop start.
 */
export async function orientation(ctx: OperatorContext): Promise<string> {
  const offered = await ctx.tools.offer(({ name }) => orientationTools.includes(name));
  const parts: string[] = [];
  for (const [index, { name }] of offered.entries()) {
    const { text, isError } = await ctx.tools.call({ name, input: {}, number: -1 - index });
    if (!isError) parts.push(`Result of ${name}:\n${cutResult(name, text)}`);
  }
  return parts.join('\n\n');
}
