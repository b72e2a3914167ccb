import type { CreateBlockRequest, UpdateBlockRequest } from '../models/taxonomy-block-requests.ts';
import { type BlockIssue, issue } from '../vocabulary/index.ts';

type Named = { readonly name?: string | null };

/** The most characters of a name, each of up to four bytes: indexes hold names. */
const maxNameCharacters = 500;

/** Finds blank and too long names in a new block. */
export function unusableNamesOfBlock(request: CreateBlockRequest): readonly BlockIssue[] {
  return [
    ...unusable('taxonomy', [request]),
    ...unusable('element', request.elements),
    ...unusable('structure', request.structures),
    ...unusable('rule', request.rules),
  ];
}

/** Finds blank and too long names in an update, where an absent name stays unchanged (taxonomy T-33). */
export function unusableNamesOfUpdate(request: UpdateBlockRequest): readonly BlockIssue[] {
  return [
    ...unusable('taxonomy', [request]),
    ...unusable('element', request.elements_to_add),
    ...unusable('element', request.elements_to_update),
    ...unusable('structure', request.structures_to_add),
    ...unusable('structure', request.structures_to_update),
    ...unusable('rule', request.rules_to_add),
  ];
}

/** Finds two patches of one element or structure, of which the second would silently win (taxonomy 2.2). */
export function repeatedPatches(request: UpdateBlockRequest): readonly BlockIssue[] {
  const elements = (request.elements_to_update ?? []).map(({ qname }) => qname);
  const structures = (request.structures_to_update ?? []).map(({ structure_id }) => structure_id);
  return [
    ...repeated(elements).map((qname) => {
      const message = `${qname} is patched more than once. Send one patch with all changes.`;
      return issue('uniqueness', 'duplicate_element_qname', message, { qname });
    }),
    ...repeated(structures).map((id) => {
      const message = `The structure ${id} is patched more than once. Send one patch with all changes.`;
      return issue('uniqueness', 'duplicate_structure_name', message, { id });
    }),
  ];
}

function unusable(kind: string, named: readonly Named[] | undefined): readonly BlockIssue[] {
  return (named ?? []).flatMap(({ name }, index) => {
    if (name === undefined || name === null) return [];
    const at = { kind, index };
    if (name.trim() === '')
      return [issue('type_specific', 'blank_name', `${kind}s[${index}] has a blank name. Give it one.`, at)];
    if (name.length <= maxNameCharacters) return [];
    const message = `${kind}s[${index}] has a name of ${name.length} characters. Use at most ${maxNameCharacters}.`;
    return [issue('type_specific', 'name_too_long', message, at)];
  });
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
