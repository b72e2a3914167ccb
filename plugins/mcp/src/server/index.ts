export { Confirmations } from './confirmation.ts';
export { createServer } from './create-server.ts';
export { type McpScope, toolsOf } from './scope.ts';
