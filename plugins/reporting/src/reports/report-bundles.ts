import type { VerificationResult } from '@pacioli/blocks';
import { invalidInput } from '@pacioli/core';
import { type BundleReport, encodedParts, type ReportBundle, readBundle } from '../serialization/bundle/index.ts';
import { bundleKey, ReportFiles } from '../serialization/downloads/index.ts';
import { readJsonLd, writeJsonLd } from '../serialization/json-ld/index.ts';
import { type BundleRow, findBundle, setBundle } from './bundle-rows.ts';
import { findReport } from './report-rows.ts';
import type { ReportWork } from './report-work.ts';
import type { ReportServices } from './services.ts';
import { findStatements } from './statement-rows.ts';

/** The parts of a bundle that are not in the rows of its generation. */
export interface GeneratedBundle {
  readonly styleCode: string;
  readonly results: readonly VerificationResult[];
}

const contentType = 'application/ld+json';
const maxViolationsNamed = 5;

/** Stores reports as JSON-LD: when they are generated, and again when they are filed (P-7, P-8, G-3). */
export class ReportBundles {
  readonly #use: ReportServices;

  constructor(use: ReportServices) {
    this.#use = use;
  }

  /** Stores the bundle of a generation whose facts are written; a constant number of statements. */
  async store(work: ReportWork, reportId: string, { styleCode, results }: GeneratedBundle): Promise<void> {
    const { tx } = work;
    const row = await findReport(tx, reportId);
    if (row === undefined) throw new Error('The report whose bundle is stored has no row.');
    const predecessor = row.supersedes_id === null ? undefined : await findReport(tx, row.supersedes_id);
    const report: BundleReport = {
      id: row.id,
      generation: row.generation,
      name: row.name,
      style: styleCode,
      filingStatus: 'draft',
      filedAt: null,
      supersedes: predecessor === undefined ? null : { id: predecessor.id, generation: predecessor.generation },
    };
    const bundle = await readBundle(tx, this.#use, {
      base: this.#use.settings.vocabularyBase,
      report,
      columns: row.columns,
      entityName: row.entity_name,
      createdBy: row.created_by,
      statements: await findStatements(tx, reportId),
      results,
    });
    await this.#write(work, bundle);
  }

  /**
   * Stores the bundle of a report that is being filed: the stored one with its filing, because what is filed is what was
   * generated (P-16). A report from before bundles were stored stays without one.
   */
  async file(work: ReportWork, reportId: string): Promise<void> {
    const key = (await findBundle(work.tx, reportId))?.bundle_key ?? null;
    if (key === null) return;
    const stored = await new ReportFiles(this.#use.files).stream(key, work.signal);
    if (stored === undefined)
      throw invalidInput(`The bundle of report '${reportId}' is missing. Regenerate the report.`);
    const bundle = await readJsonLd(stored);
    const filing = { filingStatus: 'filed', filedAt: work.now.toISOString() } as const;
    await this.#write(work, { ...bundle, report: { ...bundle.report, ...filing } });
  }

  async #write(work: ReportWork, bundle: ReportBundle): Promise<void> {
    const { id, generation, filingStatus } = bundle.report;
    const validation = await this.#validated(work, { parts: writeJsonLd(bundle), base: bundle.base });
    const key = bundleKey(work.tx.graphId, { id, generation, isFiled: filingStatus === 'filed' });
    await new ReportFiles(this.#use.files).replace(key, encodedParts(writeJsonLd(bundle)), contentType, work.signal);
    await setBundle(work.tx, id, { key, validation });
  }

  /** Reporting P-12: a bundle that does not conform is refused in the mode `strict`, and reported in `warn`. */
  async #validated(
    { now, signal }: ReportWork,
    document: { readonly parts: Iterable<string>; readonly base: string },
  ): Promise<BundleRow['bundle_validation']> {
    const mode = this.#use.settings.bundleValidation;
    if (mode === 'off') return null;
    const found = await this.#use.validator.validate({ ...document, signal });
    if (mode === 'strict' && !found.conforms) {
      const named = found.violations.slice(0, maxViolationsNamed).join(' ');
      throw invalidInput(`The bundle of the report does not conform to its shapes: ${named}`);
    }
    return { ...found, validated_at: now.toISOString() };
  }
}

/** The findings of the validation as warnings of a statement (P-12). */
export function bundleWarnings(validation: BundleRow['bundle_validation']): readonly string[] {
  return validation === null ? [] : validation.violations.map((violation) => `bundle: ${violation}`);
}
