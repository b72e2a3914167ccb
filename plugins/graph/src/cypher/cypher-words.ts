/** The reason why a word is refused (graphs ). */
export type RefusalKind = 'write' | 'bulk' | 'administration' | 'schema';

/** Phrases to find in the masked statement, in this order; the first match determines the kind. */
export const refusedPhrases: readonly (readonly [RefusalKind, RegExp])[] = [
  ['administration', phrase('(?:IMPORT|EXPORT|DETACH|ATTACH)\\s+DATABASE')],
  ['schema', phrase('(?:CREATE|DROP)\\s+(?:NODE|REL|TABLE|INDEX|SEQUENCE|MACRO|TYPE|GRAPH|CONSTRAINT|DATABASE)')],
  ['schema', phrase('(?:ADD|DROP|RENAME)\\s+(?:COLUMN|TABLE)')],
  ['schema', phrase('ALTER\\s+(?:TABLE|DATABASE|ALIAS|CURRENT|USER)')],
  ['schema', phrase('COMMENT\\s+ON')],
  ['bulk', phrase('(?:COPY|LOAD|IMPORT)')],
  ['administration', phrase('(?:EXPORT|INSTALL|UNINSTALL|ATTACH|USE)')],
  [
    'administration',
    /^\s*(?:BEGIN|COMMIT|ROLLBACK|CHECKPOINT|EXPLAIN|PROFILE|SHOW|START|STOP|TERMINATE|GRANT|REVOKE|DENY)\b/i,
  ],
  ['write', phrase('(?:CREATE|MERGE|SET|DELETE|REMOVE|DETACH|DROP|ALTER|INSERT|UPDATE|FOREACH)')],
  // Functions that advance a sequence or access data outside the graph; the engine classifies them as reads.
  ['write', phrase('(?:NEXTVAL|CURRVAL|SETVAL)')],
];

const writeWords = '(?:CREATE|MERGE|SET|DELETE|REMOVE)';

/** True for a masked statement that passed the gate and changes rows. */
export const isWrite = (masked: string): boolean => phrase(writeWords).test(masked);

/** Forms of writing words that are refused also where rows may be changed. */
export const refusedWrites: readonly RegExp[] = [
  // A pattern begins with a bracket, after the name of a path if it has one.
  phrase('(?:CREATE|MERGE)(?!\\s*\\()(?!\\s+[A-Za-z_]\\w*\\s*=\\s*\\()(?!(?<=\\bON\\s+CREATE)\\s+SET\\b)'),
  phrase('DETACH(?!\\s+DELETE\\s)'),
  phrase('(?:DROP|ALTER|INSERT|UPDATE|FOREACH)'),
  phrase('(?:NEXTVAL|CURRVAL|SETVAL)'),
];

/** The words that can start a statement that writes. */
export const openingWriteWords: readonly string[] = ['CREATE', 'MERGE'];

/** The words that can start a statement that reads. */
export const openingWords: readonly string[] = ['MATCH', 'OPTIONAL', 'UNWIND', 'WITH', 'RETURN', 'CALL'];

/**
 * Matches whole words anywhere except as the property after a dot that follows a name or a closing bracket: `n.set` is
 * a read, while `1. SET` may be a number and a clause.
 */
function phrase(words: string): RegExp {
  return new RegExp(`(?<![\\w$])(?<!(?:(?<!\\w)[A-Za-z_]\\w*|[)\\]\`])\\.)${words}(?![\\w])`, 'i');
}
