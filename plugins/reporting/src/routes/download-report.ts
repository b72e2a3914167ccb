import { defineRoute, graphOf, kernel, model, notFound, ServiceError, type StreamAnswer } from '@pacioli/core';
import { Type } from 'typebox';
import { downloadReport, findBundle, reportForecastServices } from '../reports/index.ts';
import { reportSerializers } from '../serialization/downloads/index.ts';

/** Throws unless the query names at most one forecast, by an id that can be stored. */
function requireOneScenario(scenarioId: string | undefined, repeated: readonly string[]): void {
  if (repeated.includes('scenario_id')) throw refusedScenario('Given more than once. Name one forecast.');
  if (scenarioId?.includes('\0') === true) {
    throw refusedScenario('Contains U+0000, which no id has. Give the id of a forecast.');
  }
}

function refusedScenario(msg: string): ServiceError {
  return new ServiceError('invalid_input', 'INVALID_INPUT', `scenario_id: ${msg}`, {
    issues: [{ loc: ['query', 'scenario_id'], msg, type: 'value_error' }],
  });
}

/** An addition to the contract, which has no documents for people (G-7). */
export default defineRoute({
  name: 'download-report',
  path: 'GET /v1/graphs/{graph_id}/reports/{report_id}/download',
  summary: 'Sends a report as a file, such as a spreadsheet.',
  openapi: { id: 'download_report', tag: 'extensions_robo_ledger' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  query: model('ReportDownloadQuery', {
    format: Type.Optional(
      Type.String({
        default: 'xlsx',
        maxLength: 50,
        description: 'Such as xlsx, csv, html, jsonld, xbrl-2.1 or xbrl-json.',
      }),
    ),
    scenario_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'id of a forecast whose months follow the columns of the report; for html, text and xlsx',
      }),
    ),
  }),
  answers: { 200: null },
  fails: [401, 403, 404, 422, 429, 500, 502],
  services: { ...reportForecastServices, files: kernel.fileStore, serializers: reportSerializers },
  errors: {
    REPORT_BUNDLE_NOT_AVAILABLE: {
      kind: 'not_found',
      meaning: 'The report has no stored file, or the service does not write this format.',
    },
    REPORT_STORE_FAILED: { kind: 'upstream', meaning: 'The file of the report cannot be read now.' },
  },

  async handle({ params, query, ctx, use }): Promise<StreamAnswer> {
    const { scenario_id: scenarioId } = query;
    requireOneScenario(scenarioId, ctx.repeatedQuery);
    const scope = { graphId: graphOf(ctx).id };
    const row = await use.store.transaction(scope, (tx) => findBundle(tx, params.report_id), { readOnly: true });
    if (row === undefined) throw notFound(`Report '${params.report_id}' not found.`);
    const forecast = scenarioId === undefined ? undefined : { ...scope, scenarioId };
    const request = { format: query.format ?? 'xlsx', forecast, signal: ctx.signal };
    const { chunks, contentType, fileName } = await downloadReport(row, use, request);
    return {
      kind: 'stream',
      status: 200,
      contentType,
      headers: {
        'Content-Disposition': `attachment; filename="${fileName}"`,
        'Cache-Control': 'no-store',
        // A page is content of callers, so it may never act for this site.
        'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        'X-Content-Type-Options': 'nosniff',
      },
      chunks,
    };
  },
});
