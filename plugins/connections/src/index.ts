export { default } from './plugin.ts';
export {
  type Connection,
  type ConnectionProvider,
  type ConnectionStatus,
  connectionProviders,
  type Disposition,
  type NewConnection,
  type ProviderAuthorization,
  type WritePolicy,
} from './tokens.ts';
