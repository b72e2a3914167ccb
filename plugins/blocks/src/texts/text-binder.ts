import { type DocumentTexts, type Ids, invalidInput, notFound } from '@pacioli/core';
import type { ElementPart, StructureParts, StructureWrites } from '@pacioli/taxonomy';
import { upsertDisclosureSet } from '../facts/index.ts';
import type { BlockWork, FactStore, ReportingEntities } from '../tokens.ts';
import { chooseText, provenanceOf } from './bound-text.ts';
import { documentSections } from './document-sections.ts';
import { findDocuments } from './text-drift.ts';

/** The concept arrangements whose facts are texts (B-14). */
const textArrangements: ReadonlySet<string> = new Set([
  'text_block',
  'level1_textblock',
  'level2_textblock',
  'level3_textblock',
  'table_equivalent_textblock',
]);

/** True if a structure with this arrangement holds texts. */
export function isTextArrangement(arrangement: string | null): boolean {
  return arrangement !== null && textArrangements.has(arrangement);
}

/** The names of the arrangements, for messages. */
const textArrangementNames: string = [...textArrangements].join(', ');

export interface TextBinderParts {
  readonly ids: Ids;
  readonly structures: StructureParts;
  readonly writes: StructureWrites;
  readonly facts: FactStore;
  readonly entities: readonly ReportingEntities[];
  readonly documents: readonly DocumentTexts[];
}

/** A request to bind a text to an element. */
export interface TextBinding {
  readonly documentId: string;
  /** Null for the whole document. */
  readonly sectionId: string | null;
  readonly structureId: string;
  /** Exactly one of `elementId` and `elementQname` is given. */
  readonly elementId: string | null;
  readonly elementQname: string | null;
  /** Null for the default reporting entity. */
  readonly entityId: string | null;
  /** `YYYY-MM-DD`, both ends inclusive. */
  readonly periodStart: string;
  readonly periodEnd: string;
}

export interface BoundText {
  readonly factId: string;
  readonly factSetId: string;
  readonly elementId: string;
  /** SHA-256 of the text in UTF-8, as hexadecimal digits. */
  readonly contentHash: string;
  readonly characters: number;
  readonly isReplaced: boolean;
}

/** Stores texts of documents as disclosure facts. */
export class TextBinder {
  readonly #parts: TextBinderParts;

  constructor(parts: TextBinderParts) {
    this.#parts = parts;
  }

  /** Validates everything before it writes; 404 for an unknown document, otherwise 422 (T-1 to T-5). */
  async bind(work: BlockWork, binding: TextBinding): Promise<BoundText> {
    checkPeriod(binding);
    const named = namedElement(binding);
    await this.#checkStructure(work, binding.structureId);
    const element = await this.#element(work, named);
    const entityId = await this.#entityId(work, binding.entityId);
    const { text, characters, contentHash } = await this.#text(work, binding);
    const { documentId, sectionId, structureId, periodStart, periodEnd } = binding;
    const provenance = provenanceOf({ documentId, sectionId, contentHash }, work.userId);
    const { tx, userId, now } = work;
    const set = { structureId, entityId, periodStart, periodEnd, provenance, createdBy: userId, now };
    const factSetId = await upsertDisclosureSet(tx, set, this.#parts.ids);
    const replaced = await this.#parts.facts.deleteFacts(tx, {
      scenario: 'actuals',
      factSetIds: [factSetId],
      elementIds: [element.id],
    });
    const fact = {
      elementId: element.id,
      periodStart,
      periodEnd,
      periodType: 'duration' as const,
      value: null,
      unit: null,
      text: { value: text, contentType: 'text/markdown' },
      // The set records the latest binding; when it holds several documents, each fact records its own.
      provenance,
    };
    const [factId] = await this.#parts.facts.addFacts(tx, factSetId, [fact], now);
    if (factId === undefined) throw new Error('A text was written without an id.');
    if (element.itemType === null) await this.#parts.writes.setItemType(tx, element.id, 'text_block', { userId, now });
    return { factId, factSetId, elementId: element.id, contentHash, characters, isReplaced: replaced > 0 };
  }

  async #checkStructure({ tx }: BlockWork, structureId: string): Promise<void> {
    const structure = (await this.#parts.structures.find(tx, [structureId])).get(structureId);
    if (structure === undefined) throw invalidInput(`Structure not found: ${structureId}`);
    if (structure.blockType !== 'regulatory_disclosure') {
      const message = `structure_id: '${structure.name}' is a ${structure.blockType}. Name a regulatory_disclosure.`;
      throw invalidInput(message);
    }
    if (isTextArrangement(structure.conceptArrangement)) return;
    const arrangement = structure.conceptArrangement ?? 'none';
    throw invalidInput(
      `structure_id: '${structure.name}' holds no texts (concept_arrangement ${arrangement}). ` +
        `Name a disclosure with one of ${textArrangementNames}.`,
    );
  }

  async #element({ tx }: BlockWork, named: NamedElement): Promise<ElementPart> {
    const id = 'id' in named ? named.id : await this.#idOf(tx, named.qname);
    const element = id === undefined ? undefined : (await this.#parts.structures.elements(tx, [id])).get(id);
    if (element === undefined) throw invalidInput(`Element not found: ${'id' in named ? named.id : named.qname}`);
    if (!element.isAbstract) return element;
    throw invalidInput(`Element '${element.name}' is abstract and holds no text. Name a concept below it.`);
  }

  async #idOf(tx: BlockWork['tx'], qname: string): Promise<string | undefined> {
    return (await this.#parts.structures.elementIdsByQname(tx, [qname])).get(qname);
  }

  /** The reporting entity: the one given, or the parent of the group (reporting B-0.9). */
  async #entityId({ tx }: BlockWork, entityId: string | null): Promise<string> {
    const [entities] = this.#parts.entities;
    if (entityId === null) {
      const main = await entities?.defaultId(tx);
      if (main !== undefined) return main;
      throw invalidInput('This graph has no entity to report about. Create one first.');
    }
    if ((await entities?.has(tx, entityId)) === true) return entityId;
    throw invalidInput(`Entity '${entityId}' not found in this graph.`);
  }

  async #text({ tx }: BlockWork, { documentId, sectionId }: TextBinding) {
    const body = (await findDocuments(tx, [documentId], this.#parts.documents)).get(documentId);
    // Reporting T-1: a document of another graph gets the same error as one that does not exist.
    if (body === undefined) throw notFound(`Document '${documentId}' not found`);
    const sections = sectionId === null ? [] : await documentSections(body);
    const choice = chooseText({ body, sections }, sectionId);
    if ('problem' in choice) throw invalidInput(choice.problem);
    return choice;
  }
}

type NamedElement = { readonly id: string } | { readonly qname: string };

function namedElement({ elementId, elementQname }: TextBinding): NamedElement {
  if (elementId !== null && elementQname === null) return { id: elementId };
  if (elementId === null && elementQname !== null) return { qname: elementQname };
  throw invalidInput('Give exactly one of element_id and element_qname.');
}

function checkPeriod({ periodStart, periodEnd }: TextBinding): void {
  if (periodEnd >= periodStart) return;
  throw invalidInput(`The period ends (${periodEnd}) before it starts (${periodStart}). Give a later end.`);
}
