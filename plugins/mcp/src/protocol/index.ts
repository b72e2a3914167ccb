export { canAsk, clientCapabilities } from './client-capabilities.ts';
export {
  accepted,
  type GateContext,
  type GateSettings,
  hostNotAllowed,
  isHostAllowed,
  refusedByHeaders,
} from './gate.ts';
export { type Answer, codes, type Message, objectOf, rpcError, rpcResult } from './json-rpc.ts';
export { paramsProblem } from './params.ts';
export { readMessage } from './read-message.ts';
export { methods, stateless, withHandshake } from './revisions.ts';
export { callResultOf } from './tool-result.ts';
