import type { RawBuilder } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import type { AccountingConnection } from '../src/index.ts';
import type { Books } from './books.ts';
import type { Interference } from './statement-hook.ts';

/** Answers of the other plugins; a test sets them. */
export interface OtherPlugins {
  connections: readonly AccountingConnection[];
  /** The error that stamping the statements of a close throws. */
  stampError: Error | undefined;
}

/** Books in every state in which an operation is refused, and users who may not write to them. */
export interface RefusalFixture {
  readonly service: TestService;
  readonly interference: Interference;
  readonly otherPlugins: OtherPlugins;
  readonly owner: TestClient;
  /** A member who may only read the graph `open`. */
  readonly viewer: TestClient;
  readonly stranger: TestClient;
  /** `open`: January is closed. `month`: nothing blocks closing March. `broken`: March does not balance. */
  readonly books: Readonly<Record<BookName, Books>>;
  /** The id of a named row of the fixture. */
  readonly id: (name: string) => string;
  /** Runs a statement in one of the books. */
  readonly run: <Row>(book: BookName, statement: RawBuilder<Row>) => Promise<readonly Row[]>;
}

/** `shut`: every month is closed. `bare`: not initialized. `orphan`: without an entity. */
export type BookName = 'open' | 'shut' | 'month' | 'broken' | 'bare' | 'orphan';

/** The parts of the fixture that the set-up functions need. */
export type FixtureBooks = Pick<RefusalFixture, 'service' | 'books' | 'run'>;
