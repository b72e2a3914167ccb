import type { NewFactSet } from '@pacioli/blocks';
import type { Transaction } from '@pacioli/core';
import { type ComposedStatement, NoteComposer, type NoteNetwork, StatementComposer } from '../statement-facts/index.ts';
import { openMonthWarnings } from './open-months.ts';
import type { GeneratedBundle } from './report-bundles.ts';
import type { GeneratedReport, ReportRow } from './report-rows.ts';
import { readTexts, type TextSnapshot } from './report-texts.ts';
import type { ReportWork } from './report-work.ts';
import type { ReportServices } from './services.ts';
import { deleteStatements, insertStatements } from './statement-rows.ts';

/** A statement or a note of a report, with the source of its facts. */
type ReportPart = ComposedStatement & Pick<NewFactSet, 'provenance'>;

/** The results of a generation that its callers store. */
interface WrittenFigures extends GeneratedBundle {
  /** The outcomes of the rules; null if none was evaluated. */
  readonly summary: ReportRow['rule_summary'];
}

/** The statements, notes and facts of reports. */
export class ReportFigures {
  readonly #use: ReportServices;

  constructor(use: ReportServices) {
    this.#use = use;
  }

  /** Writes all statements and notes of a report, and evaluates their rules (P-7, R-22). */
  async write(work: ReportWork, reportId: string, report: GeneratedReport): Promise<WrittenFigures> {
    const { tx, userId, now } = work;
    const { facts, rules } = this.#use;
    const { parts, unmappedCount, styleCode } = await this.#compose(work, reportId, report);
    const setIds = await facts.createSets(
      tx,
      parts.map(({ structure, provenance }) => ({
        structureId: structure.structureId,
        entityId: report.entity_id,
        periodStart: report.period_start,
        periodEnd: report.period_end,
        factsetType: 'report',
        reportId,
        scenarioId: null,
        provenance,
        createdBy: userId,
        now,
      })),
    );
    const placed = parts.map((statement, index) => ({ statement, factSetId: setIds[index] ?? '' }));
    await facts.addFactsToSets(
      tx,
      placed.map(({ statement, factSetId }) => ({ setId: factSetId, facts: statement.facts })),
      now,
    );
    await insertStatements(tx, reportId, placed, unmappedCount);
    const filled = placed.filter(({ statement }) => statement.facts.length > 0);
    const { results, summary } = await rules.evaluate(tx, {
      structureIds: filled.map(({ statement }) => statement.structure.structureId),
      factSetIds: new Map(filled.map(({ statement, factSetId }) => [statement.structure.structureId, factSetId])),
      userId,
      now,
    });
    return { summary: results.length === 0 ? null : summary, styleCode, results };
  }

  async remove(tx: Transaction, reportId: string): Promise<void> {
    await deleteStatements(tx, reportId);
    await this.#use.facts.deleteSets(tx, { reportId, scenario: 'all' });
  }

  async #compose({ tx, log }: ReportWork, reportId: string, report: GeneratedReport) {
    const { columns, mapping_id: mappingId, entity_id: entityId } = report;
    const composed = await new StatementComposer(this.#use).compose(tx, columns, { mappingId });
    const noteComposer = new NoteComposer(this.#use);
    const networks = await noteComposer.networks(tx, report.taxonomy_id);
    const { notes, droppedCount } = await noteComposer.compose(tx, composed, columns, networks);
    if (droppedCount > 0) {
      log.info('Amounts of accounts are in no statement or note of a report.', { reportId, count: droppedCount });
    }
    const window = { start: report.period_start, end: report.period_end };
    const structureIds = networks.map(({ structure }) => structure.id);
    const texts = await readTexts(tx, this.#use.facts, { structureIds, entityId, window });
    const pivot = { origin: 'pivot', mapping_id: mappingId, period: `${window.start}/${window.end}` };
    const warnings = openMonthWarnings(report.open_months);
    const parts = [...composed.statements, ...withTexts(notes, texts, networks)].map((part): ReportPart => {
      const validation = { ...part.validation, warnings: [...part.validation.warnings, ...warnings] };
      return { provenance: pivot, ...part, validation };
    });
    return { parts, unmappedCount: composed.unmappedCount, styleCode: composed.styleCode };
  }
}

/** Adds the texts to the note of their structure, or as a note of their own, in display order (S-23). */
function withTexts(
  notes: readonly ComposedStatement[],
  texts: ReadonlyMap<string, TextSnapshot>,
  networks: readonly NoteNetwork[],
): readonly (ComposedStatement & Partial<Pick<NewFactSet, 'provenance'>>)[] {
  const byStructure = new Map(notes.map((note) => [note.structure.structureId, note]));
  return networks.flatMap(({ structure }) => {
    const [note, text] = [byStructure.get(structure.id), texts.get(structure.id)];
    if (text === undefined) return note ?? [];
    if (note !== undefined) return { ...note, facts: [...note.facts, ...text.facts] };
    return {
      structure: { structureId: structure.id, name: structure.name, blockType: structure.blockType },
      rows: [],
      validation: { passed: false, status: 'inconclusive' as const, checks: [], failures: [], warnings: [] },
      facts: text.facts,
      provenance: text.provenance,
    };
  });
}
