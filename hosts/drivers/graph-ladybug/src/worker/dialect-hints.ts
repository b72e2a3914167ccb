import { maskStatement } from '@pacioli/core/ports';

interface Hint {
  /** The engine's own text, where it names what it does not have. */
  readonly engine: RegExp;
  /** Of the statement without its literals and comments. */
  readonly statement: RegExp;
  /** The replacement, as a caller writes it. */
  readonly instead: string;
}

const missing = (name: string, instead: string): Hint => ({
  engine: new RegExp(`^Catalog exception: function ${name} does not exist`, 'i'),
  statement: /(?:)/,
  instead,
});

/** The parts of Cypher that this engine lacks, each with its replacement (graphs 21.4). */
const hints: readonly Hint[] = [
  missing('toInteger', 'cast(x AS INT64)'),
  missing('toFloat', 'cast(x AS DOUBLE)'),
  missing('toString', 'cast(x AS STRING)'),
  missing('toBoolean', 'cast(x AS BOOL)'),
  missing('datetime', 'current_timestamp() or timestamp(text)'),
  {
    engine: /^Conversion exception: .*parsing interval/i,
    statement: /\bduration\s*\(/i,
    instead: "interval('1 day')",
  },
  { engine: /^Parser exception/i, statement: /\bcall\s*\{/i, instead: 'the inner clauses in the statement itself' },
  {
    engine: /^Parser exception/i,
    statement: /[\w`]\s*\{\s*\.\s*[\w`*]/,
    instead: 'each property with a name (n.a AS a)',
  },
  {
    engine: /^(?:Parser exception|Binder exception: Variable \w+ is not in scope)/i,
    statement: /\[\s*\w+\s+in\b/i,
    instead: 'list_transform(l, x -> f) or list_filter(l, x -> f)',
  },
  {
    engine:
      /^Binder exception: Function LIST_EXTRACT did not receive correct arguments:\s*Actual:\s*\((?:NODE|REL),STRING\)/i,
    statement: /\[\s*'/,
    instead: 'the property after a point (n.name)',
  },
];

/** Names the replacement of what made the engine refuse a statement; undefined if it is not in the table. */
export function dialectHint(engineText: string, statement: string): string | undefined {
  const { text } = maskStatement(statement);
  const hint = hints.find((each) => each.engine.test(engineText) && each.statement.test(text));
  return hint === undefined ? undefined : `Write ${hint.instead} instead.`;
}
