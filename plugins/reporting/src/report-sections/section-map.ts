import { invalidInput, notFound } from '@pacioli/core';
import type { Section, SectionText } from './section-reader.ts';

/** Statements in print order; other sections follow (V-13). */
const statementOrder = [
  'balance_sheet',
  'income_statement',
  'comprehensive_income',
  'cash_flow_statement',
  'equity_statement',
];
const maxNamesListed = 12;

/** A section with what clients call it. */
export interface NamedSection extends Section {
  /** The last segment of the role, or the id of the structure; unique in the report. */
  readonly block: string;
  readonly level: 'statement' | 'note';
  readonly category: 'Statement' | 'Disclosure';
}

/** The texts, axes and totals of the sections of a report, by id of the section. */
export interface SectionExtras {
  readonly texts: readonly SectionText[];
  readonly axes: readonly { readonly section: string; readonly axis: string }[];
  readonly totals: readonly { readonly section: string; readonly totals: number }[];
}

/** The sections in order: by number, those without one by kind of statement and name (V-13). */
export function namedSections(sections: readonly Section[]): readonly NamedSection[] {
  const segments = sections.map(segmentOf);
  const named = sections.map((section, index): NamedSection => {
    const segment = segments[index] ?? section.id;
    const isUnique = segments.filter((each) => each === segment).length === 1;
    const isStatement = statementOrder.includes(section.type);
    return {
      ...section,
      block: isUnique ? segment : section.id,
      level: isStatement ? 'statement' : 'note',
      category: isStatement ? 'Statement' : 'Disclosure',
    };
  });
  return named.sort((a, b) => compare(placeOf(a), placeOf(b)) || compare(a.name, b.name) || compare(a.id, b.id));
}

function placeOf({ number, type }: Section): string {
  const rank = statementOrder.indexOf(type);
  return number === null || number === '' ? `1 ${rank === -1 ? statementOrder.length : rank}` : `0 ${number}`;
}

function segmentOf({ role, id }: Section): string {
  const segments = (role ?? '').split(/[/#:]/).filter((segment) => segment !== '');
  return segments.at(-1) ?? id;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A row for each disclosure; a report of the books has one for each structure (V-12, V-13). */
export function disclosureRows(sections: readonly NamedSection[], texts: readonly SectionText[]) {
  return sections.map((section) => {
    const count = texts.filter((text) => text.section === section.id).length;
    return {
      disclosure: section.name,
      blocks: 1,
      levels: { [section.level]: 1 },
      facts: section.facts,
      ...(section.category === 'Disclosure' ? {} : { category: section.category }),
      ...(count === 0 ? {} : { text_blocks: count }),
    };
  });
}

/** The section whose name is the topic in any case, or else the only one whose name contains it (V-13). */
export function sectionOfTopic(sections: readonly NamedSection[], topic: string): NamedSection {
  const wanted = topic.trim().toLowerCase();
  const exact = sections.filter(({ name }) => name.toLowerCase() === wanted);
  const found = exact.length > 0 ? exact : sections.filter(({ name }) => name.toLowerCase().includes(wanted));
  const [section] = found;
  if (section === undefined)
    throw notFound(`No disclosure matches '${topic}'. Without topic, disclosures lists them all.`);
  if (found.length === 1) return section;
  throw invalidInput(`Several disclosures match '${topic}': ${namesOf(found)}.`);
}

/** The section with this block id, role, id of a structure, or name in any case (V-14). */
export function sectionOfBlock(sections: readonly NamedSection[], block: string): NamedSection {
  const byId = sections.find((section) => [section.block, section.role, section.id].includes(block));
  if (byId !== undefined) return byId;
  const found = sections.filter(({ name }) => name.toLowerCase() === block.trim().toLowerCase());
  const [section] = found;
  if (section === undefined)
    throw notFound(`The report has no block '${block}'. Take the id of a block from disclosures.`);
  if (found.length === 1) return section;
  const ids = found.map((each) => each.block).slice(0, maxNamesListed);
  throw invalidInput(`Several blocks have the name '${block}'. Name one by its id: ${ids.join(', ')}.`);
}

function namesOf(sections: readonly NamedSection[]): string {
  const names = sections.slice(0, maxNamesListed).map(({ name }) => name);
  return sections.length > maxNamesListed ? `${names.join(', ')} and more` : names.join(', ');
}

/** A block of a disclosure, with what it holds (V-13). */
export function blockRow(section: NamedSection, { texts, axes, totals }: SectionExtras) {
  const own = <R extends { readonly section: string }>(rows: readonly R[]): readonly R[] =>
    rows.filter((row) => row.section === section.id);
  const textBlocks = own(texts).map(({ concept, chars }) => ({ concept, chars }));
  const axisNames = own(axes).map(({ axis }) => axis);
  const calculated = own(totals)[0]?.totals ?? 0;
  return {
    id: section.block,
    level: section.level,
    name: section.name,
    facts: section.facts,
    concepts: section.concepts,
    ...(axisNames.length === 0 ? {} : { axes: axisNames }),
    ...(section.dimensional === 0 ? {} : { dimensional_facts: section.dimensional }),
    ...(calculated === 0 ? {} : { calc: calculated }),
    ...(textBlocks.length === 0 ? {} : { text_blocks: textBlocks }),
  };
}
