import { type FileTransfers, invalidInput, ServiceError, type Transaction } from '@pacioli/core';
import type { FileStore } from '@pacioli/core/ports';
import { fileStem, type ReportBundle } from '../serialization/bundle/index.ts';
import {
  formatKey,
  ReportFiles,
  type ReportSerializer,
  serialized,
  storedFormat,
} from '../serialization/downloads/index.ts';
import { readJsonLd } from '../serialization/json-ld/index.ts';
import { type BundleRow, findBundle } from './bundle-rows.ts';
import { bundleWithForecast, type ForecastChoice, type ForecastServices } from './report-forecast.ts';

/** A download by URL. */
export interface UrlRequest {
  readonly reportId: string;
  readonly userId: string;
  /** The key of a serializer. */
  readonly format: string;
  readonly expiresInSeconds: number;
  readonly serviceUrl: string;
  readonly now: Date;
  readonly signal: AbortSignal;
}

interface DownloadServices {
  readonly files: FileStore;
  readonly serializers: readonly ReportSerializer[];
}

/** A download of a file, with the months of a forecast if one is named (G-7b). */
export interface DownloadRequest extends Pick<UrlRequest, 'format' | 'signal'> {
  readonly forecast: ForecastChoice | undefined;
}

/** A file of a report, ready to send. */
export interface ReportDownload {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  readonly fileName: string;
}

/**
 * The URL of a report in a format, which is made and stored on the first request (G-1, G-2). The caller commits the
 * grant. Undefined without the report.
 */
export async function promiseReportDownload(
  tx: Transaction,
  use: DownloadServices & { readonly transfers: FileTransfers },
  request: UrlRequest,
) {
  const { format, signal } = request;
  const row = await findBundle(tx, request.reportId);
  if (row === undefined) return undefined;
  const { serializer, bundle, bundleKey } = await openReport(row, use, request);
  const { contentType, extension } = serializer;
  const files = new ReportFiles(use.files);
  const key = formatKey(bundleKey, extension);
  if (!(await files.exists(key))) await files.storeOnce(key, await serialized(serializer, bundle), contentType, signal);
  const { url, grant } = await use.transfers.promiseDownload({
    graphId: tx.graphId,
    userId: request.userId,
    key,
    contentType,
    fileName: `${fileStem(bundle)}.${extension}`,
    expiresInSeconds: request.expiresInSeconds,
    now: request.now,
    serviceUrl: request.serviceUrl,
  });
  const answer = {
    download_url: url,
    expires_at: new Date(request.now.getTime() + request.expiresInSeconds * 1_000).toISOString(),
    content_type: contentType,
    format,
    generation_count: bundle.report.generation,
    omitted_content: [...serializer.omitted(bundle)],
  };
  return { answer, grant };
}

/** A report in a format, as one file (G-7). The stored one is sent as it is read. */
export async function downloadReport(
  row: BundleRow,
  use: DownloadServices & ForecastServices,
  request: DownloadRequest,
): Promise<ReportDownload> {
  const { format, signal, forecast } = request;
  const serializer = serializerOf(use, format);
  if (forecast !== undefined) requireForecasts(use, serializer);
  const { entity_name: name, columns, generation } = row;
  const file = {
    contentType: serializer.contentType,
    fileName: `${fileStem({ entity: { name }, columns, report: { generation } })}${forecast === undefined ? '' : '-forecast'}.${serializer.extension}`,
  };
  if (format === storedFormat) {
    const chunks = await new ReportFiles(use.files).stream(storedKey(row), signal);
    if (chunks === undefined) throw missingFile(row);
    return { ...file, chunks };
  }
  const { bundle } = await openReport(row, use, request);
  const shown = forecast === undefined ? bundle : await bundleWithForecast(use, forecast, { row, bundle });
  return { ...file, chunks: await serialized(serializer, shown) };
}

function requireForecasts({ serializers }: DownloadServices, { key, showsForecasts }: ReportSerializer): void {
  if (showsForecasts === true) return;
  const others = serializers.filter((each) => each.showsForecasts === true).map((each) => each.key);
  const message = `The format '${key}' has actuals only. Choose ${others.toSorted().join(' or ')} for a report with a forecast, or name no scenario.`;
  throw invalidInput(message);
}

interface OpenedReport {
  readonly serializer: ReportSerializer;
  readonly bundle: ReportBundle;
  readonly bundleKey: string;
}

async function openReport(
  row: BundleRow,
  use: DownloadServices,
  { format, signal }: Pick<UrlRequest, 'format' | 'signal'>,
): Promise<OpenedReport> {
  const serializer = serializerOf(use, format);
  const bundleKey = storedKey(row);
  const stored = await new ReportFiles(use.files).stream(bundleKey, signal);
  if (stored === undefined) throw missingFile(row);
  return { serializer, bundle: await readJsonLd(stored), bundleKey };
}

function serializerOf({ serializers }: DownloadServices, format: string): ReportSerializer {
  const serializer = serializers.find(({ key }) => key === format);
  if (serializer !== undefined) return serializer;
  throw notAvailable(`This service does not write reports in the format '${format}'.`);
}

function storedKey({ id, bundle_key: key }: BundleRow): string {
  if (key !== null) return key;
  throw notAvailable(`Report '${id}' was generated before its ${storedFormat} was stored. Regenerate it.`);
}

function missingFile({ id }: BundleRow): ServiceError {
  return notAvailable(`The file of report '${id}' is missing from the file store.`);
}

function notAvailable(message: string): ServiceError {
  return new ServiceError('not_found', 'REPORT_BUNDLE_NOT_AVAILABLE', message);
}
