// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import deleteGraphMcp from './routes/delete-graph-mcp.ts';
import deleteMcpProfile from './routes/delete-mcp-profile.ts';
import deleteMcp from './routes/delete-mcp.ts';
import getGraphMcp from './routes/get-graph-mcp.ts';
import getMcpProfile from './routes/get-mcp-profile.ts';
import getMcp from './routes/get-mcp.ts';
import postGraphMcp from './routes/post-graph-mcp.ts';
import postMcpProfile from './routes/post-mcp-profile.ts';
import postMcp from './routes/post-mcp.ts';

export const all = {
  routes: [deleteGraphMcp, deleteMcpProfile, deleteMcp, getGraphMcp, getMcpProfile, getMcp, postGraphMcp, postMcpProfile, postMcp],
} as const satisfies PluginParts;
