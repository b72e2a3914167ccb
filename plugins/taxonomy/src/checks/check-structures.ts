import { type Block, type BlockIssue, issue, taxonomyType } from '../vocabulary/index.ts';

/** Rejects structures that a block of its type may not contain (taxonomy 1.6, M-3). */
export function structureIssues(block: Block): readonly BlockIssue[] {
  const type = taxonomyType(block.taxonomyType);
  const refused = block.structures
    .filter(({ blockType }) => type?.blockTypes.has(blockType) !== true)
    .map(({ name, blockType }) => {
      const allowed = [...(type?.blockTypes ?? [])].join(', ');
      const message = `"${name}": a ${block.taxonomyType} cannot contain a structure of type ${blockType}, only ${allowed}.`;
      return issue('type_specific', 'block_type_not_allowed', message, { name });
    });
  const mappings = block.structures.filter(({ blockType }) => blockType === 'coa_mapping');
  // One framework is shipped, so a chart has one mapping; other taxonomies reject the type itself (taxonomy M-3).
  if (mappings.length <= 1 || block.taxonomyType !== 'chart_of_accounts') return refused;
  const names = mappings.map(({ name }) => name).join(', ');
  const message = `A chart has at most one mapping into a framework; this one would have ${mappings.length}: ${names}.`;
  return [...refused, issue('type_specific', 'block_type_not_allowed', message)];
}
