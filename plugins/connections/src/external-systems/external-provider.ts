import { type Issue, ServiceError } from '@pacioli/core';
import { providerNames } from '../models/provider-names.ts';
import type { ConnectionProvider } from '../tokens.ts';
import { problemOfSourceName } from './source-name.ts';

const maxDisplayNameCharacters = 200;

/**
 * A system that sends its events through the public API; it only has a registered source name, which is neither that of
 * a provider nor one of the given, under which plugins record events (ledger L-116, L-219).
 */
export const externalProvider = (sourcesOfPlugins: readonly string[]): Omit<ConnectionProvider, 'key'> => ({
  info: {
    display_name: 'External source',
    description: 'Any system that sends its own events to the API, under a registered source name.',
    auth_type: 'none',
    auth_flow: null,
    required_config: ['source_name'],
    optional_config: ['display_name'],
    features: ['event_source'],
    data_types: ['events', 'agents'],
    sync_frequency: null,
    setup_instructions:
      'Register a source name, then send events and agents with it as their source, with an API key of this graph.',
    documentation_url: null,
  },
  keepsBooks: false,
  open: async ({ request }) => {
    const config = request.external_config;
    if (config === undefined || config === null) throw refusal([], { msg: 'Field required', type: 'missing' });
    const problem = problemOfSourceName(config.source_name, [...providerNames, ...sourcesOfPlugins]);
    if (problem !== undefined) throw refusal(['source_name'], { ...problem, input: config.source_name });
    const displayName = config.display_name?.trim() ?? '';
    if (displayName.length > maxDisplayNameCharacters) {
      const msg = `At most ${maxDisplayNameCharacters} characters`;
      throw refusal(['display_name'], { msg, type: 'string_too_long' });
    }
    return {
      status: 'connected',
      slot: config.source_name,
      slotName: `source_name '${config.source_name}'`,
      sourceName: config.source_name,
      metadata: displayName === '' ? {} : { display_name: displayName },
    };
  },
});

function refusal(place: readonly string[], issue: Omit<Issue, 'loc'>): ServiceError {
  const loc = ['body', 'external_config', ...place];
  return new ServiceError('invalid_input', 'INVALID_INPUT', `${loc.slice(1).join('.')}: ${issue.msg}`, {
    issues: [{ loc, ...issue }],
  });
}
