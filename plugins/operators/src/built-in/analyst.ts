import { analystScore, type Operator, type OperatorContext } from '../catalog/index.ts';
import { background, firstMessages, orientation, systemPrompt } from '../prompts/index.ts';
import { orientationTools, runToolLoop } from '../tool-loop/index.ts';

const task = `You are a financial analyst. Answer the question from the data of this graph by calling tools: statements,
balances, holdings, documents and read-only statements of the graph. You change nothing.`;

/** Answers questions by the tools that read (ai-surface 7.1). */
export const analyst: Omit<Operator, 'key'> = {
  name: 'Analyst Operator',
  description: 'Answers questions about a graph from its statements, records, documents and memories. It only reads.',
  version: '1.0.0',
  author: 'Pacioli',
  tags: ['questions', 'read-only'],
  capabilities: ['financial_analysis', 'rag_search', 'entity_analysis', 'trend_analysis', 'deep_research'],
  modes: ['quick', 'standard', 'streaming', 'extended'],
  aliases: ['cypher'],
  isReadOnly: true,
  needsModel: true,
  fits: () => true,
  canHandle: analystScore,
  run: async (ctx: OperatorContext) => {
    const description = await orientation(ctx);
    const found = await background(ctx);
    return runToolLoop(ctx, {
      system: systemPrompt(ctx, task, description),
      messages: firstMessages(ctx.history, ctx.query, found),
      choose: ({ name, effect }) => effect === 'read' && !orientationTools.includes(name),
      confirmsWrites: false,
    });
  },
};
