import type { LoadReject, RejectReason } from './graph-store.ts';

const faults: Readonly<Record<RejectReason, string>> = {
  duplicate: 'a key that another row has',
  dangling: 'a reference to a node that does not exist',
  null_key: 'no key',
  cast: 'a value of another type',
};

/** Describes the rejected rows of a load for callers, with the first key of each kind. */
export function rejectsText(rejects: readonly LoadReject[]): string {
  return rejects
    .map(({ reason, count, examples: [first] }) => {
      const rows = count === 1 ? '1 row has' : `${count} rows have`;
      return `${rows} ${faults[reason]}${first === undefined ? '' : ` (first: ${first})`}`;
    })
    .join(', ');
}
