import { answer, defineRoute } from '../define/route.ts';
import { openObject } from '../schema/model.ts';
import { statusService } from '../services/status.ts';

export default defineRoute({
  name: 'get-readiness',
  path: 'GET /readyz',
  summary: 'Readiness check for load balancers: 503 while the service is unavailable.',
  openapi: { id: 'get_readiness', tag: 'status' },
  category: null,
  auth: [],
  answers: { 200: openObject(), 503: openObject() },
  fails: [],
  hidden: true,
  services: { statusService },
  async handle({ use }) {
    const { status } = await use.statusService.report();
    return status === 'unhealthy' ? answer(503, { status }, { 'Retry-After': '5' }) : answer(200, { status });
  },
});
