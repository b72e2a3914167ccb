import { defineRoute } from '../define/route.ts';
import { openObject } from '../schema/model.ts';

export default defineRoute({
  name: 'get-liveness',
  path: 'GET /livez',
  summary: 'Liveness check for process supervisors.',
  openapi: { id: 'get_liveness', tag: 'status' },
  category: null,
  auth: [],
  answers: { 200: openObject() },
  fails: [],
  hidden: true,
  async handle() {
    return { status: 'alive' };
  },
});
