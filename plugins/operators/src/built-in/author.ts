import type { Graph } from '@pacioli/core';
import { authorDepth, type Operator, type OperatorContext } from '../catalog/index.ts';
import { background, firstMessages, orientation, systemPrompt } from '../prompts/index.ts';
import { orientationTools, runToolLoop } from '../tool-loop/index.ts';

const task = `You are an author of accounting content. Make the changes that the user asks for by calling tools. Changes
are additions that can be undone; you cannot delete, post, close, share or file. Look up counterparties, blocks and
elements before you name them, and use the ids that you found. At the end, say what you changed.`;

/** The only tools that write and that the author is offered (ai-surface OP-4). */
const writes: ReadonlySet<string> = new Set([
  'create-taxonomy-block',
  'create-information-block',
  'update-information-block',
  'assert-metrics',
  'compute-metrics',
  'compute-forecast',
  'evaluate-rules',
  'bind-text-block',
  'create-report',
  'regenerate-report',
  'create-agent',
  'update-agent',
  'remember',
]);

const investorWrites: ReadonlySet<string> = new Set([
  'create-security',
  'create-portfolio-block',
  'update-portfolio-block',
]);

/** True if the author gets a tool that writes on this graph. */
export function isAuthorTool(graph: Graph, name: string): boolean {
  return writes.has(name) || (graph.extensions.includes('investor') && investorWrites.has(name));
}

/** Makes changes by a fixed list of tools; it is chosen only by its type (ai-surface 7.1). */
export function author(use: { readonly maxCredits: number }): Omit<Operator, 'key'> {
  return {
    name: 'Author Operator',
    description: 'Makes additive changes to a graph, such as taxonomy blocks, metrics and draft reports.',
    version: '1.0.0',
    author: 'Pacioli',
    tags: ['changes'],
    capabilities: ['financial_analysis', 'custom'],
    modes: ['quick', 'standard', 'extended'],
    needsModel: true,
    depth: authorDepth,
    fits: ({ type }) => type !== 'library',
    run: async (given: OperatorContext) => {
      const ctx = { ...given, maxCredits: given.maxCredits ?? use.maxCredits };
      const isResumed = ctx.resume !== undefined;
      const description = await orientation(ctx);
      const found = isResumed ? undefined : await background(ctx);
      return runToolLoop(ctx, {
        system: systemPrompt(ctx, task, description),
        messages: firstMessages(ctx.history, ctx.query, found),
        choose: ({ name, effect }) =>
          effect === 'read' ? !orientationTools.includes(name) : isAuthorTool(ctx.graph, name),
        // Every value except false asks a person: the input of a queued run can be older than the check of `confirm`.
        confirmsWrites: (ctx.extra['confirm'] ?? false) !== false,
      });
    },
  };
}
