import type { LibraryChanges, LibraryPin, LibraryUpgradeReport, PinUpgradeReport } from '@pacioli/taxonomy';

const maxShownLines = 50;

/** Formats the changes of a release for all graphs for an operator (taxonomy LB-11). */
export function describeRelease({ changes, held, moved, leftBehind }: LibraryUpgradeReport): string {
  const isRefused = held.length + leftBehind.length > 0;
  return [
    summary(changes),
    ...shown(
      held,
      ({ graphId, qname, accounts }) => `${graphId} has mapped ${accounts} account(s) to ${qname}, which is removed.`,
    ),
    ...shown(moved, ({ graphId, qname, accounts, replacedBy }) => {
      return `${graphId}: ${accounts} account(s) move from ${qname} to ${replacedBy}, which replaces it.`;
    }),
    ...shown(leftBehind, ({ pin, graphIds }) => {
      return `${graphIds.join(', ')}: pinned to ${JSON.stringify(pin)}, which this release does not include.`;
    }),
    isRefused ? 'The release cannot start.' : 'The release can start.',
  ].join('\n');
}

const reasons: Readonly<Record<PinUpgradeReport['affected'][number]['because'], string>> = {
  missing: 'the concept is removed',
  replaced: 'another concept replaces it',
  calculation: 'one of its calculations changes',
};

/** Formats the changes of an edition for one graph for an operator (taxonomy LB-12). */
export function describeGraphUpgrade(
  graphId: string,
  {
    changes,
    missing,
    affected,
    closedMonths,
    leftBehind,
  }: PinUpgradeReport & { readonly leftBehind: LibraryPin | null },
  elements: readonly { readonly id: string; readonly qname: string }[],
): string {
  const qnames = new Map([...changes.dropped, ...elements].map(({ id, qname }) => [id, qname]));
  const nameOf = (id: string) => qnames.get(id) ?? id;
  return [
    summary(changes),
    ...shown(changes.calculations, ({ totalId, itemId, weightBefore, weightAfter }) => {
      const weights = `${weightBefore ?? 'none'} before, ${weightAfter ?? 'none'} after`;
      return `${nameOf(itemId)} in ${nameOf(totalId)}: ${weights}.`;
    }),
    `${affected.length} mapping(s) of ${graphId} are affected.`,
    ...shown(affected, ({ accountId, concept, because }) => {
      return `${accountId} -> ${concept}: ${reasons[because]}.`;
    }),
    ...(closedMonths === undefined
      ? []
      : [`Sums of ${closedMonths.count} closed month(s) change: ${closedMonths.first} to ${closedMonths.last}.`]),
    ...(missing.length > 0 ? ['Refused: first map the accounts of the removed concepts to others.'] : []),
    ...(leftBehind === null
      ? []
      : [
          `Refused: ${graphId} is pinned to ${JSON.stringify(leftBehind)}, which this release does not include. ` +
            'Remove the pin with "pacioli library unpin", or stay with the previous release.',
        ]),
    ...(missing.length === 0 && leftBehind === null ? ['Nothing blocks it.'] : []),
  ].join('\n');
}

function summary({ dropped, added, calculations }: LibraryChanges): string {
  const names = (rows: LibraryChanges['dropped']) =>
    rows.length === 0
      ? ''
      : ` (${rows
          .slice(0, maxShownLines)
          .map(({ qname }) => qname)
          .join(', ')})`;
  return [
    `Removed concepts: ${dropped.length}${names(dropped)}.`,
    `New concepts: ${added.length}${names(added)}.`,
    `Added, removed or changed calculations: ${calculations.length}.`,
  ].join('\n');
}

function shown<Row>(rows: readonly Row[], line: (row: Row) => string): readonly string[] {
  const lines = rows.slice(0, maxShownLines).map((row) => `  ${line(row)}`);
  return rows.length > lines.length ? [...lines, `  … and ${rows.length - lines.length} more; --json has all.`] : lines;
}
