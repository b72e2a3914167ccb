import { Type } from 'typebox';
import { defineRoute } from '../define/route.ts';
import { instant, model, nullable, openObject } from '../schema/model.ts';
import { statusService } from '../services/status.ts';

export default defineRoute({
  name: 'get-service-status',
  path: 'GET /v1/status',
  summary: 'Returns the health, plugins and start time of the service.',
  openapi: { id: 'get_service_status', tag: 'status' },
  category: 'status',
  auth: [],
  answers: {
    200: model('HealthStatus', {
      status: Type.String(),
      timestamp: instant(),
      details: Type.Optional(nullable(openObject())),
    }),
  },
  fails: [],
  services: { statusService },
  async handle({ use }) {
    return use.statusService.report();
  },
});
