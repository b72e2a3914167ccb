/** A number, a name or a calculation in a rule (reporting 3.2). */
export type Expression =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  /** The mean of an instant's opening and closing value. */
  | { readonly kind: 'average'; readonly name: string }
  /** The value of the month before, in forecasts. */
  | { readonly kind: 'previous'; readonly name: string }
  | { readonly kind: 'negate'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly sign: '+' | '-' | '*' | '/';
      readonly left: Expression;
      readonly right: Expression;
    };

/** Two sides and what must hold between them. */
export interface Relation {
  readonly sign: '=' | '<' | '<=' | '>' | '>=';
  readonly left: Expression;
  readonly right: Expression;
}
