import { columnsOf, type RowOf, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { LibraryCatalog } from '../library/index.ts';
import type { TaxonomyRule as StoredRule, TaxonomyElement, TaxonomyTaxonomy } from '../rows.gen.ts';
import { libraryGraphId, type StoredBlock, taxonomyTypeNames, visible } from '../vocabulary/index.ts';
import { listTaxonomyHeads, readBlock } from './read-block.ts';
import { evaluateStructuralChecks, type StructuralResult } from './structural-checks.ts';

const maxRules = 20_000;

/** A rule in the form that the rule engine evaluates. */
export interface TaxonomyRule
  extends Pick<StoredRule, 'id' | 'name' | 'description' | 'expression' | 'severity' | 'origin' | 'message'> {
  readonly taxonomyId: StoredRule['taxonomy_id'];
  readonly structureId: StoredRule['structure_id'];
  readonly category: StoredRule['rule_category'];
  /** Null for a structural check. */
  readonly pattern: StoredRule['rule_pattern'];
  readonly checkKind: StoredRule['rule_check_kind'];
  /** `variable_name` and `variable_qname`, with any other fields that the author sent for the variable. */
  readonly variables: readonly Readonly<Record<string, unknown>>[];
  readonly targetKind: StoredRule['target_kind'];
  readonly targetId: StoredRule['target_id'];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Rules of taxonomies: the graph's own and those of the shipped library. */
export interface TaxonomyRules {
  /** The rules about any of these structures, elements, arcs or taxonomies, by name, at most 20,000. One statement. */
  ofTargets(tx: Transaction, targetIds: readonly string[]): Promise<readonly TaxonomyRule[]>;
}

/** Structural checks over stored atoms (taxonomy section 6). */
export interface StructuralChecks {
  /**
   * Evaluates every structural rule of a taxonomy of the graph or the library; undefined when the id is not a block.
   */
  evaluate(tx: Transaction, taxonomyId: string): Promise<readonly StructuralResult[] | undefined>;
}

const ruleColumns = columnsOf<StoredRule>('r')({
  id: 'id',
  taxonomyId: 'taxonomy_id',
  structureId: 'structure_id',
  name: 'name',
  description: 'description',
  category: 'rule_category',
  pattern: 'rule_pattern',
  checkKind: 'rule_check_kind',
  expression: 'expression',
  variables: 'variables',
  severity: 'severity',
  origin: 'origin',
  targetKind: 'target_kind',
  targetId: 'target_id',
  message: 'message',
  metadata: 'metadata',
});

type RuleRow = RowOf<typeof ruleColumns> & Pick<TaxonomyRule, 'variables' | 'metadata'>;

export async function listRulesOfTargets(
  tx: Transaction,
  targetIds: readonly string[],
): Promise<readonly TaxonomyRule[]> {
  return tx.query(sql<RuleRow>`select ${ruleColumns} from taxonomy_rule r
    where ${visible(tx, 'r')} and r.target_id = any(${[...targetIds]}::text[])
    order by r.name, r.id limit ${maxRules}`);
}

/** Evaluates the structural rules of a taxonomy (taxonomy section 6); undefined when it is not a block. */
export async function evaluateTaxonomy(
  tx: Transaction,
  taxonomyId: string,
  library: LibraryCatalog,
): Promise<readonly StructuralResult[] | undefined> {
  const [head] = await listTaxonomyHeads(tx, {
    types: taxonomyTypeNames,
    hiddenIds: [],
    id: taxonomyId,
    limit: 1,
    offset: 0,
  });
  if (head === undefined) return undefined;
  const block = await readBlock(tx, head);
  return evaluateStructuralChecks(block, {
    reachableTaxonomyIds: await reachableTaxonomies(tx, block, library),
    changedLibraryElements: await changedLibraryElements(tx, block, library),
  });
}

/** The framework's packages, and for a chart the graph's extensions, which its mapping may target. */
async function reachableTaxonomies(
  tx: Transaction,
  block: StoredBlock,
  library: LibraryCatalog,
): Promise<ReadonlySet<string>> {
  const shipped = library.rows.taxonomies.map(({ id }) => id);
  if (block.taxonomyType !== 'chart_of_accounts') return new Set(shipped);
  const extensions = await tx.query(sql<Pick<TaxonomyTaxonomy, 'id'>>`select id from taxonomy_taxonomy
    where graph_id = ${tx.graphId} and taxonomy_type = 'reporting_extension' and is_active`);
  return new Set([...shipped, ...extensions.map(({ id }) => id)]);
}

const elementColumns = columnsOf<TaxonomyElement>()(
  'id',
  'qname',
  'name',
  'trait',
  'liquidity',
  'activity_type',
  'balance_type',
  'period_type',
  'element_type',
  'item_type',
  'is_abstract',
  'is_monetary',
);

type StoredLibraryElement = RowOf<typeof elementColumns> & { readonly qname: NonNullable<TaxonomyElement['qname']> };

/** Shipped elements that the block names and whose stored row differs from what was shipped. */
async function changedLibraryElements(
  tx: Transaction,
  block: StoredBlock,
  library: LibraryCatalog,
): Promise<readonly string[]> {
  const named = new Set([
    ...block.arcs.flatMap(({ from, to }) => [from, to]),
    ...block.elements.flatMap(({ parentQname }) => parentQname ?? []),
  ]);
  const shipped = [...named].flatMap((qname) => library.elementByQname(qname) ?? []);
  const ids = shipped.map(({ id }) => id);
  const rows = await tx.query(sql<StoredLibraryElement>`select ${elementColumns}
    from taxonomy_element where graph_id = ${libraryGraphId} and id = any(${ids}::text[])`);
  const stored = new Map(rows.map((row) => [row.id, row]));
  return shipped
    .filter((element) => {
      const row = stored.get(element.id);
      return (
        row === undefined ||
        row.qname !== element.qname ||
        row.name !== element.name ||
        row.trait !== element.trait ||
        row.liquidity !== element.liquidity ||
        row.activity_type !== element.activityType ||
        row.balance_type !== element.balanceType ||
        row.period_type !== element.periodType ||
        row.element_type !== element.elementType ||
        row.item_type !== element.itemType ||
        row.is_abstract !== element.isAbstract ||
        row.is_monetary !== element.isMonetary
      );
    })
    .map(({ qname }) => qname);
}
