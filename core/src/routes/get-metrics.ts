import { answer, defineRoute } from '../define/route.ts';
import { notFound } from '../errors/service-error.ts';
import { mayReadMetrics, metrics } from '../metrics/metrics.ts';
import { anything } from '../schema/model.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';

export default defineRoute({
  name: 'get-metrics',
  path: 'GET /metrics',
  summary: 'Returns metrics of this process for a Prometheus server.',
  openapi: { id: 'get_metrics', tag: 'status' },
  category: null,
  auth: [],
  answers: { 200: anything() },
  fails: [404],
  hidden: true,
  services: { metrics, settings: kernelSettings },
  async handle({ ctx, use }) {
    const { enabled, token } = use.settings.metrics;
    const bearer = ctx.bearerToken === undefined ? {} : { bearer: ctx.bearerToken };
    // A proxied request is not local, even if the proxy's address is.
    const ip = ctx.header('x-forwarded-for') === undefined ? ctx.ip : '';
    // An unauthorized caller does not even learn that metrics exist.
    if (!enabled || !mayReadMetrics(token, { ip, ...bearer })) throw notFound('Not Found');
    return answer(200, await use.metrics.text(), { 'Content-Type': use.metrics.contentType });
  },
});
