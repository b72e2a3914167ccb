import type { Meddle } from './interference.ts';
import type { BookName, RefusalFixture } from './refusal-fixture.ts';

/** One refusal of an operation: what is asked of which books, and what the answer says. */
export interface Refusal {
  readonly operation: string;
  readonly status: number;
  /** As in the matrix. */
  readonly reason: string;
  /** Something that the answer says: of its detail, its code, or what a preview tells. */
  readonly says: string;
  readonly request: (fixture: RefusalFixture) => object;
  /** `open` unless given. */
  readonly book?: BookName;
  /** What somebody else does at the same time. */
  readonly meanwhile?: (fixture: RefusalFixture) => Meddle;
  /** What the plugins beside the ledger say; taken back afterwards. */
  readonly beside?: Partial<RefusalFixture['beside']>;
}

type Rest = Omit<Refusal, 'operation' | 'status' | 'reason' | 'says' | 'request'>;

/** A row of the audit. */
export type Row = readonly [
  status: number,
  reason: string,
  says: string,
  request: (fixture: RefusalFixture) => object,
  rest?: Rest,
];

/** The rows of one operation. */
export function rowsOf(operation: string, rows: readonly Row[]): readonly Refusal[] {
  return rows.map(([status, reason, says, request, rest]) => ({ operation, status, reason, says, request, ...rest }));
}
