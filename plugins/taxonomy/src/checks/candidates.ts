import {
  gaapPrefix,
  type LibraryCatalog,
  type LibraryElementRow,
  type StatementLeaf,
  type StyleStatements,
} from '../library/index.ts';
import { traitsCompatibleWith } from '../vocabulary/index.ts';

/** A reporting concept that an account may be mapped to. */
export interface Candidate {
  readonly element: LibraryElementRow;
  readonly leaf: StatementLeaf;
  readonly position: number;
  readonly isExactTrait: boolean;
}

/**
 * The concepts that an account of a trait may be reported under (taxonomy M-12), best kind first (M-14). The lines of
 * every legal form count, because equity is named differently in each; the corporation's come first.
 */
export function mappingCandidates(
  catalog: LibraryCatalog,
  wanted: { readonly trait: string | null; readonly liquidity?: string | null },
): readonly Candidate[] {
  if (wanted.trait === null) return [];
  const { trait } = wanted;
  const traits = traitsCompatibleWith(trait);
  const styles = formStyles(catalog);
  const ownerFlows = trait === 'contraEquity' ? ownerFlowsOf(catalog) : new Set<string>();
  return catalog.elements
    .flatMap((element): readonly Candidate[] => {
      const isOwnerFlow = ownerFlows.has(element.qname);
      if (!isMappable(element) || element.trait === null || !(traits.has(element.trait) || isOwnerFlow)) return [];
      const liquidity = wanted.liquidity ?? null;
      if (liquidity !== null && element.liquidity !== null && element.liquidity !== liquidity) return [];
      const place = placeIn(styles, element.qname);
      return place === undefined ? [] : [{ element, ...place, isExactTrait: element.trait === trait }];
    })
    .sort(
      (a, b) =>
        Number(b.leaf.isDirect) - Number(a.leaf.isDirect) ||
        Number(b.isExactTrait) - Number(a.isExactTrait) ||
        a.position - b.position ||
        (a.element.qname < b.element.qname ? -1 : 1),
    );
}

/** True for concepts that an account may be mapped to: concrete, monetary, of the curated framework (taxonomy 4.2). */
export function isMappable(element: Pick<LibraryElementRow, 'source' | 'isAbstract' | 'isMonetary'>): boolean {
  return element.source === gaapPrefix && !element.isAbstract && element.isMonetary;
}

/** Cash flow lines for accounts of payments to owners, such as dividends (taxonomy 4.6, 4). */
function ownerFlowsOf(catalog: LibraryCatalog): ReadonlySet<string> {
  const { synonyms } = catalog.frameworks.gaap;
  return new Set(synonyms.flatMap(({ trait, concept }) => (trait === 'contraEquity' ? [concept] : [])));
}

function formStyles(catalog: LibraryCatalog): readonly StyleStatements[] {
  return catalog.statements.styles.flatMap(({ code, defaultFor }) => {
    const statements = defaultFor === null ? undefined : catalog.statements.ofStyle(code);
    return statements === undefined ? [] : [statements];
  });
}

function placeIn(
  styles: readonly StyleStatements[],
  qname: string,
): { readonly leaf: StatementLeaf; readonly position: number } | undefined {
  for (const [index, style] of styles.entries()) {
    if (style.isRolledUp(qname)) return undefined;
    const leaf = style.leafOf(qname);
    if (leaf !== undefined) return { leaf, position: index * 10_000 + (style.positionOf(leaf.qname) ?? 0) };
  }
  return undefined;
}
