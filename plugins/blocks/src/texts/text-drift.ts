import type { DocumentTexts, Transaction } from '@pacioli/core';
import type { BlockView, RenderingValidation, ViewSubject } from '../models/block-view.ts';
import { type BindableDocument, hasDrifted, sourceOf, type TextSource } from './bound-text.ts';
import { documentSections } from './document-sections.ts';

/** Limits how many long documents a page of blocks holds in memory at once. */
const maxDocumentsRead = 50;

interface BoundText {
  readonly structureId: string;
  readonly source: TextSource;
}

/**
 * The structures with a text that has changed in its document since it was bound (T-6). One read for each 50 documents.
 * Without a contributor of documents, drift is unknown and none is reported.
 */
export async function driftedStructures(
  tx: Transaction,
  subjects: readonly ViewSubject[],
  keepers: readonly DocumentTexts[],
): Promise<ReadonlySet<string>> {
  const drifted = new Set<string>();
  if (keepers.length === 0) return drifted;
  const bound = subjects.flatMap(textsOf);
  const ids = [...new Set(bound.map(({ source }) => source.documentId))];
  for (let at = 0; at < ids.length; at += maxDocumentsRead) {
    const group = new Set(ids.slice(at, at + maxDocumentsRead));
    const documents = new Map<string, BindableDocument>();
    for (const [id, body] of await findDocuments(tx, [...group], keepers)) {
      const isSectioned = bound.some(({ source }) => source.documentId === id && source.sectionId !== null);
      documents.set(id, { body, sections: isSectioned ? await documentSections(body) : [] });
    }
    for (const { structureId, source } of bound) {
      if (!group.has(source.documentId)) continue;
      if (hasDrifted(source, documents.get(source.documentId))) drifted.add(structureId);
    }
  }
  return drifted;
}

/** The bodies of the documents in the transaction's graph, by id, from all contributors. */
export async function findDocuments(
  tx: Transaction,
  documentIds: readonly string[],
  keepers: readonly DocumentTexts[],
): Promise<ReadonlyMap<string, string>> {
  const bodies = new Map<string, string>();
  for (const keeper of keepers) {
    for (const [id, { body }] of await keeper.find(tx, documentIds)) bodies.set(id, body);
  }
  return bodies;
}

/** The view with a warning that its text is older than the document. */
export function withDriftWarning(view: BlockView): BlockView {
  if (view.rendering === null) return view;
  const validation = view.rendering.validation ?? unchecked;
  const warnings = [...validation.warnings, 'source document changed since bind'];
  return { ...view, rendering: { ...view.rendering, validation: { ...validation, warnings } } };
}

const unchecked: RenderingValidation = {
  passed: false,
  status: 'inconclusive',
  checks: [],
  failures: [],
  warnings: [],
};

function textsOf({ structure, facts }: ViewSubject): readonly BoundText[] {
  return facts.flatMap((fact) => {
    const source = fact.textValue === null ? undefined : sourceOf(fact.provenance);
    return source === undefined ? [] : [{ structureId: structure.id, source }];
  });
}
