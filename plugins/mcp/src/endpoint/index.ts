export { EndpointOnDemand, mcpEndpoint } from './endpoint-on-demand.ts';
export { notAllowed } from './not-allowed.ts';
