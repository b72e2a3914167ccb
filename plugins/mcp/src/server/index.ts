export { Confirmations } from './confirmation.ts';
export { createServer } from './create-server.ts';
export { DirectAnswers } from './direct-answers.ts';
export { plainRequest } from './plain-request.ts';
export { documentUri, isDocumentUri, readsDocuments } from './resources.ts';
export { type McpScope, requestIdOf, toolsOf } from './scope.ts';
