export { McpEndpoint, mcpEndpoint } from './mcp-endpoint.ts';
export { notAllowed } from './not-allowed.ts';
