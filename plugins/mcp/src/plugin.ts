import { definePlugin, provide } from '@pacioli/core';
import { mcpTokens, noTokens } from './authorization/mcp-tokens.ts';
import { config } from './config.ts';

/** The tools of every graph for AI clients, over the Model Context Protocol. */
export default definePlugin({
  name: 'mcp',
  title: 'AI clients over the Model Context Protocol',
  version: '0.1.0',
  kernel: '^0.1.0',
  config,
  providers: [provide(mcpTokens, { create: () => noTokens })],
});
