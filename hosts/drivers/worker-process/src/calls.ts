/** The calls that a worker answers, by name: the request and the reply of each. */
export type Calls = Readonly<Record<string, { readonly ask: unknown; readonly answer: unknown }>>;

export interface Request {
  readonly id: number;
  readonly call: string;
  readonly ask: unknown;
}

/** A failure as the worker describes it; the parent makes the error of its driver from it. */
export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: unknown }
  | { readonly beat: { readonly residentBytes: number } };
