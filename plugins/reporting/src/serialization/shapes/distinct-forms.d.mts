/** The types of `distinct-forms.mjs`, for its test. */

interface Term {
  readonly termType: string;
  readonly value: string;
}

interface Statement {
  readonly subject: Term;
  readonly predicate: Term;
  readonly object: Term;
}

export declare function distinctForms<Quad extends Statement>(
  quads: readonly Quad[],
  vocabulary: string,
): readonly Quad[];
