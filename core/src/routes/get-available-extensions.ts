import { Type } from 'typebox';
import { defineRoute } from '../define/route.ts';
import { model, nullable } from '../schema/model.ts';
import { kernel } from '../services/kernel-tokens.ts';

const availableExtension = model('AvailableExtension', {
  name: Type.String(),
  description: Type.String(),
  display_name: Type.Optional(nullable(Type.String())),
  enabled: Type.Optional(Type.Boolean({ default: false })),
});

const availableExtensionsResponse = model('AvailableExtensionsResponse', {
  extensions: Type.Array(availableExtension),
});

export default defineRoute({
  name: 'get-available-extensions',
  path: 'GET /v1/graphs/extensions',
  summary: 'Lists the extensions that this deployment offers for a new graph.',
  openapi: { id: 'get_available_extensions', tag: 'graphs' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  answers: { 200: availableExtensionsResponse },
  fails: [400, 401, 403, 429, 500],
  services: { domains: kernel.domains },
  async handle({ use }) {
    const extensions = use.domains.all().map(({ domain, title }) => ({
      name: use.domains.wireName(domain),
      description: title,
      display_name: title,
      enabled: true,
    }));
    return { extensions };
  },
});
