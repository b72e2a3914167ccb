import type { SearchableText } from '@pacioli/core';
import { Turns } from '@pacioli/core/ports';
import { partEntries, searchBaseId, type UnwrittenEntry } from './index-entries.ts';
import { partsOf } from './sections.ts';

/** The entries of a text of another plugin: its passages, each in parts if it is long. Gives way to other requests. */
export async function entriesOfText(
  graphId: string,
  textId: string,
  text: SearchableText,
): Promise<readonly UnwrittenEntry[]> {
  const base = searchBaseId(graphId, textId);
  const entries: UnwrittenEntry[] = [];
  const turns = new Turns();
  for (const passage of text.passages) {
    if (turns.isOver) await turns.next();
    if (passage.content.trim() === '') continue;
    const parts = await partsOf(passage.content, turns);
    entries.push(
      ...partEntries(base, entries.length, parts, {
        sourceType: text.sourceType,
        documentTitle: text.title,
        sectionLabel: passage.sectionLabel,
        sectionId: passage.sectionId,
        elementQname: passage.elementQname,
        xbrlElements: null,
        entityTicker: text.entityTicker?.toUpperCase() ?? null,
        entityName: text.entityName,
        entityCik: text.entityCik,
        filingDate: text.filingDate,
        fiscalYear: text.fiscalYear,
        fiscalPeriod: text.fiscalPeriod,
        formType: null,
        accessionNumber: text.accessionNumber,
        contentUrl: null,
        tags: null,
        folder: null,
      }),
    );
  }
  return entries;
}
