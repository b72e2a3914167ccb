export { authorize, challenge } from './credentials.ts';
export { type McpTokens, mcpTokens, noTokens } from './mcp-tokens.ts';
