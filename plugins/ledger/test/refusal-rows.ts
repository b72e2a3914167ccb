import type { BookName, RefusalFixture } from './refusal-fixture-types.ts';
import type { StatementHook } from './statement-hook.ts';

/** One refusal of an operation: the request, the books, and a text of the response. */
export interface Refusal {
  readonly operation: string;
  readonly status: number;
  /** The reason as named in the matrix. */
  readonly reason: string;
  /** A text in the response: part of its detail, its code, or a validation error of a preview. */
  readonly says: string;
  readonly request: (fixture: RefusalFixture) => object;
  /** `open` by default. */
  readonly book?: BookName;
  /** A concurrent change by another caller. */
  readonly concurrently?: (fixture: RefusalFixture) => StatementHook;
  /** Answers of the other plugins; reset afterwards. */
  readonly otherPlugins?: Partial<RefusalFixture['otherPlugins']>;
}

type Rest = Omit<Refusal, 'operation' | 'status' | 'reason' | 'says' | 'request'>;

export type Row = readonly [
  status: number,
  reason: string,
  says: string,
  request: (fixture: RefusalFixture) => object,
  rest?: Rest,
];

/** Builds the refusals of one operation. */
export function rowsOf(operation: string, rows: readonly Row[]): readonly Refusal[] {
  return rows.map(([status, reason, says, request, rest]) => ({ operation, status, reason, says, request, ...rest }));
}
