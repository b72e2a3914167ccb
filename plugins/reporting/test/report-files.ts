import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileStore, FileStoreError } from '@pacioli/core/ports';
import { localFileStore } from '@pacioli/files-local';
import { encodedParts, type ReportBundle } from '../src/serialization/bundle/index.ts';
import { readJsonLd } from '../src/serialization/json-ld/index.ts';
import type { ExampleBooks, Loose } from './example-books.ts';

/** A file store in a temporary folder that can be made to refuse what it is given. */
export interface RefusingFileStore extends FileStore {
  isRefusing: boolean;
}

export async function refusingFileStore(): Promise<{ readonly files: RefusingFileStore; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-report-files-'));
  const inner = localFileStore({ folder });
  const files: RefusingFileStore = {
    isRefusing: false,
    driver: inner.driver,
    write: async (...args) => {
      if (files.isRefusing) throw new FileStoreError('unavailable', 'The test refuses files.');
      return inner.write(...args);
    },
    read: (...args) => inner.read(...args),
    info: (...args) => inner.info(...args),
    remove: (...args) => inner.remove(...args),
    list: (...args) => inner.list(...args),
    uploadUrl: (...args) => inner.uploadUrl(...args),
    downloadUrl: (...args) => inner.downloadUrl(...args),
    probe: () => inner.probe(),
    close: () => inner.close(),
  };
  return {
    files,
    close: async () => {
      await inner.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const fields = 'downloadUrl expiresAt contentType format generationCount omittedContent';

/** The answer of `reportDownloadUrl`, or its errors. */
export async function askForDownload(books: ExampleBooks, reportId: string, more = ''): Promise<Loose> {
  const { reportDownloadUrl } = await books.query(
    `{ reportDownloadUrl(reportId: "${reportId}"${more}) { ${fields} } }`,
  );
  return reportDownloadUrl;
}

/** Downloads a report in a format of the contract, by default as JSON-LD. */
export async function downloadReport(books: ExampleBooks, reportId: string, format = 'JSONLD'): Promise<Uint8Array> {
  const { downloadUrl } = await askForDownload(books, reportId, `, format: ${format}`);
  const response = await fetch(downloadUrl);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

export async function downloadText(books: ExampleBooks, reportId: string, format = 'JSONLD'): Promise<string> {
  return Buffer.from(await downloadReport(books, reportId, format)).toString('utf8');
}

/** The whole of a text in parts. */
export function textOf(parts: Iterable<string>): string {
  return [...parts].join('');
}

/** The bundle of a document of which the whole text is known. */
export function readJsonLdText(text: string): Promise<ReportBundle> {
  return readJsonLd(encodedParts([text]));
}
