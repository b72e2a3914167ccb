import type { FactStore, TextFact } from '@pacioli/blocks';
import {
  columnsOf,
  type PassageLimit,
  type RowOf,
  type SearchablePassage,
  type SearchableText,
  type SearchableTexts,
  sectionSlugs,
  sql,
  type TextChanges,
  type Transaction,
} from '@pacioli/core';
import { type Entities, fiscalYearEndMonth } from '@pacioli/ledger';
import type { StructureParts } from '@pacioli/taxonomy';
import type { ReportingReport, ReportingStatement, ReportingTextSection } from '../rows.gen.ts';

export interface PassageServices {
  readonly facts: FactStore;
  readonly structures: StructureParts;
  readonly entities: Entities;
}

const foundColumns = columnsOf<ReportingReport>('r')('id', 'name', 'entity_id', 'entity_name');

type FoundReport = RowOf<typeof foundColumns> & {
  readonly filing_date: string | null;
  readonly fiscal_year: number;
  readonly fiscal_period: string | null;
};

/** Reports that are archived are superseded or withdrawn, so that their texts are no longer found. */
const isSearched = sql`r.generation_status = 'published' and r.filing_status <> 'archived'`;

/** The text blocks of published reports, own ones and copies, as a search finds them (ai-surface 2.1, SR-22). */
export function searchableReports(use: PassageServices): Omit<SearchableTexts, 'key'> {
  return {
    find: async (tx, reportId, limit) => {
      const report = await findSearched(tx, reportId);
      return report === undefined ? undefined : textOf(tx, use, report, limit);
    },
    list: async (tx, { afterId, limit }) => {
      const rows = await tx.query(sql<Pick<ReportingReport, 'id'>>`select r.id from reporting_report r
        where r.graph_id = ${tx.graphId} and r.id > ${afterId} and ${isSearched} order by r.id limit ${limit}`);
      return rows.map(({ id }) => id);
    },
  };
}

/** Tells those who search texts that reports were created, changed or removed in this transaction. */
export async function noteChangedTexts(
  tx: Transaction,
  followers: readonly TextChanges[],
  reportIds: readonly string[],
): Promise<void> {
  for (const follower of followers) await follower.changed(tx, reportIds);
}

/** The fiscal year and period of a report are those of its analytical node (graphs SC-29). */
async function findSearched(tx: Transaction, reportId: string): Promise<FoundReport | undefined> {
  const [row] = await tx.query(sql<FoundReport>`
    select ${foundColumns}, to_char(r.filed_at at time zone 'UTC', 'YYYY-MM-DD') as filing_date,
      extract(year from r.period_end)::int + case when m.ends > m.year_ends then 1 else 0 end as fiscal_year,
      case r.period_type when 'annual' then 'FY'
        when 'quarterly' then 'Q' || ((m.ends - m.year_ends + 11) % 12 / 3 + 1) end as fiscal_period
    from reporting_report r
    cross join lateral (select extract(month from r.period_end)::int as ends, ${fiscalYearEndMonth(tx)} as year_ends) m
    where r.graph_id = ${tx.graphId} and r.id = ${reportId} and ${isSearched}`);
  return row;
}

async function textOf(
  tx: Transaction,
  use: PassageServices,
  report: FoundReport,
  limit: PassageLimit,
): Promise<SearchableText> {
  const sets = await use.facts.sets(tx, { reportId: report.id, scenario: 'actuals' });
  const setIds = sets.map(({ id }) => id);
  const { facts, total } = await use.facts.textFacts(tx, setIds, {
    facts: limit.passages,
    characters: limit.characters,
  });
  const elements = await use.structures.elements(tx, [...new Set(facts.map(({ elementId }) => elementId))]);
  const sectionOf = await findSections(tx, report.id);
  const entity = (await use.entities.summaries(tx, [report.entity_id])).get(report.entity_id);
  return {
    sourceType: 'xbrl_textblock',
    title: report.name,
    entityName: report.entity_name,
    entityTicker: entity?.ticker ?? null,
    entityCik: entity?.cik ?? null,
    filingDate: report.filing_date,
    fiscalYear: report.fiscal_year,
    fiscalPeriod: report.fiscal_period,
    accessionNumber: report.id,
    passages: facts.map((fact): SearchablePassage => {
      const element = elements.get(fact.elementId);
      const section = sectionOf(fact);
      return {
        content: fact.textValue,
        // As the sections of documents (ai-surface D-25).
        sectionId: section === undefined ? null : (sectionSlugs([section])[0] ?? null),
        sectionLabel: section ?? element?.name ?? null,
        elementQname: element?.qname ?? null,
      };
    }),
    isCut: total > facts.length,
  };
}

/** The name of the section of a text, if it has one. */
type SectionOf = (fact: Pick<TextFact, 'factSetId' | 'elementId'>) => string | undefined;

/** A section is the structure of a statement; a copy has the names of those that its graph does not know (D-7). */
async function findSections(tx: Transaction, reportId: string): Promise<SectionOf> {
  const statements = await tx.query(sql<Pick<ReportingStatement, 'fact_set_id' | 'structure_name'>>`
    select fact_set_id, structure_name from reporting_statement
    where graph_id = ${tx.graphId} and report_id = ${reportId}`);
  const sections = await tx.query(sql<Pick<ReportingTextSection, 'element_id' | 'section'>>`
    select element_id, section from reporting_text_section where graph_id = ${tx.graphId} and report_id = ${reportId}`);
  const bySet = new Map(statements.map(({ fact_set_id: setId, structure_name: name }) => [setId, name]));
  const byElement = new Map(sections.map(({ element_id: elementId, section }) => [elementId, section]));
  return ({ factSetId, elementId }) => bySet.get(factSetId) ?? byElement.get(elementId);
}
