import { defineQuery, fileTransfers, instant, invalidInput, kernel, model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { promiseReportDownload } from '../reports/index.ts';
import { reportSerializers } from '../serialization/downloads/index.ts';

/** The `format` of the answer for each value of the argument (G-2). */
const formats = {
  JSONLD: 'jsonld',
  HOLON_JSONLD: 'holon-jsonld',
  XBRL_2_1: 'xbrl-2.1',
  TAVI: 'tavi',
} as const;

const ReportDownloadFormat = oneOf(['JSONLD', 'HOLON_JSONLD', 'XBRL_2_1', 'TAVI'], {
  graphql: { enum: 'ReportDownloadFormat' },
});

const minSeconds = 60;
const maxSeconds = 3_600;
const defaultSeconds = 300;

const ReportBundleDownload = model('ReportBundleDownload', {
  download_url: Type.String(),
  expires_at: instant(),
  content_type: Type.String(),
  format: Type.String(),
  generation_count: Type.Integer(),
  omitted_content: Type.Array(Type.String()),
});

export default defineQuery({
  name: 'reportDownloadUrl',
  summary: 'A URL from which a report can be downloaded without a credential; null if the graph has no such report.',
  args: model('ReportDownloadUrlArgs', {
    report_id: Type.String(),
    format: Type.Optional(ReportDownloadFormat),
    expires_in: Type.Optional(Type.Integer()),
  }),
  returns: nullable(ReportBundleDownload),
  mcp: { tool: 'get-report-bundle', hint: 'Use it to hand a report to a person as a file.' },
  services: { files: kernel.fileStore, transfers: fileTransfers, serializers: reportSerializers },
  cost: { points: 100 },
  async resolve({ args, ctx, use }) {
    const expiresInSeconds = args.expires_in ?? defaultSeconds;
    if (expiresInSeconds < minSeconds || expiresInSeconds > maxSeconds) {
      throw invalidInput(`expiresIn: give ${minSeconds} to ${maxSeconds} seconds, not ${expiresInSeconds}.`);
    }
    const { signal, serviceUrl } = ctx;
    const format = formats[args.format ?? 'JSONLD'];
    const { userId } = ctx.caller;
    const request = { reportId: args.report_id, userId, format, expiresInSeconds, serviceUrl, signal, now: ctx.now() };
    const promised = await promiseReportDownload(ctx.tx, use, request);
    if (promised === undefined) return null;
    if (promised.grant !== undefined) ctx.afterReads(promised.grant);
    return promised.answer;
  },
});
