import { encodedParts, type ReportBundle } from '../bundle/index.ts';
import { writeCsv, writeHtml, writeText, writeXlsx } from '../documents/index.ts';
import { writeHolon, writeJsonLd } from '../json-ld/index.ts';
import { omittedFromPackage, omittedFromXbrlJson, writeXbrlJson, writeXbrlPackage } from '../xbrl/index.ts';
import type { ReportSerializer } from './serializer.ts';

/** The format of the file that is stored with each generation. */
export const storedFormat = 'jsonld';

type Format = Omit<ReportSerializer, 'key'>;

const encode = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** What documents for people do not have. */
const forPeople: readonly string[] = ['ib_envelopes', 'fact_sets'];
const nothing = (): readonly string[] => [];

/** The formats of this plugin by their keys; others come from plugins (reporting G-2, G-7). */
export const builtInFormats: Readonly<Record<string, Format>> = {
  [storedFormat]: {
    extension: 'jsonld',
    contentType: 'application/ld+json',
    isStored: true,
    serialize: (bundle: ReportBundle) => encodedParts(writeJsonLd(bundle)),
    omitted: nothing,
  },
  'holon-jsonld': {
    extension: 'holon.jsonld',
    contentType: 'application/ld+json',
    isStored: true,
    serialize: (bundle: ReportBundle) => encodedParts(writeHolon(bundle)),
    omitted: () => ['ib_envelopes'],
  },
  'xbrl-2.1': {
    extension: 'zip',
    contentType: 'application/zip',
    isStored: true,
    serialize: writeXbrlPackage,
    omitted: omittedFromPackage,
  },
  'xbrl-json': {
    extension: 'json',
    contentType: 'application/json',
    isStored: false,
    serialize: (bundle: ReportBundle) => encodedParts(writeXbrlJson(bundle)),
    omitted: () => omittedFromXbrlJson,
  },
  xlsx: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    isStored: false,
    showsForecasts: true,
    serialize: writeXlsx,
    omitted: () => forPeople,
  },
  csv: {
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
    isStored: false,
    serialize: (bundle: ReportBundle) => encodedParts(writeCsv(bundle)),
    omitted: () => [...forPeople, 'networks'],
  },
  html: {
    extension: 'html',
    contentType: 'text/html; charset=utf-8',
    isStored: false,
    showsForecasts: true,
    serialize: async (bundle: ReportBundle) => encode(writeHtml(bundle)),
    omitted: () => forPeople,
  },
  text: {
    extension: 'txt',
    contentType: 'text/plain; charset=utf-8',
    isStored: false,
    showsForecasts: true,
    serialize: async (bundle: ReportBundle) => encode(writeText(bundle)),
    omitted: () => forPeople,
  },
};
