import type { CreateBlockRequest, UpdateBlockRequest } from '../models/taxonomy-block-requests.ts';
import { type BlockIssue, issue } from '../vocabulary/index.ts';

type Named = { readonly name?: string | null };

/** Names in a new block that nobody could read: empty, or of spaces only. */
export function blankNamesOfBlock(request: CreateBlockRequest): readonly BlockIssue[] {
  return [
    ...blank('taxonomy', [request]),
    ...blank('element', request.elements),
    ...blank('structure', request.structures),
    ...blank('rule', request.rules),
  ];
}

/** The same in an update, where a name that is absent stays as it is (taxonomy T-33). */
export function blankNamesOfUpdate(request: UpdateBlockRequest): readonly BlockIssue[] {
  return [
    ...blank('taxonomy', [request]),
    ...blank('element', request.elements_to_add),
    ...blank('element', request.elements_to_update),
    ...blank('structure', request.structures_to_add),
    ...blank('structure', request.structures_to_update),
    ...blank('rule', request.rules_to_add),
  ];
}

/** Two patches of one thing: the second would silently win over the first (taxonomy 2.2). */
export function repeatedPatches(request: UpdateBlockRequest): readonly BlockIssue[] {
  const elements = (request.elements_to_update ?? []).map(({ qname }) => qname);
  const structures = (request.structures_to_update ?? []).map(({ structure_id }) => structure_id);
  return [
    ...repeated(elements).map((qname) => {
      const message = `${qname} is patched more than once. Send one patch with everything that changes.`;
      return issue('uniqueness', 'duplicate_element_qname', message, { qname });
    }),
    ...repeated(structures).map((id) => {
      const message = `The structure ${id} is patched more than once. Send one patch with everything that changes.`;
      return issue('uniqueness', 'duplicate_structure_name', message, { id });
    }),
  ];
}

function blank(kind: string, named: readonly Named[] | undefined): readonly BlockIssue[] {
  return (named ?? []).flatMap(({ name }, index) =>
    name === undefined || name === null || name.trim() !== ''
      ? []
      : [issue('type_specific', 'blank_name', `${kind}s[${index}] has a blank name. Give it one.`, { kind, index })],
  );
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
