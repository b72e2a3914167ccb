import { ServiceError } from '../errors/service-error.ts';
import { sha256 } from '../schema/canonical.ts';

/** The grammar of graph ids: a graph, one of its subgraphs, or the library (platform, top; graphs G-1). */
const graphIdForm = /^(kg[a-f0-9]{16,}(_[a-zA-Z0-9]{1,20})?|library)$/;

/** Longer ids are invalid: the grammar alone has no upper bound. */
const maxGraphIdCharacters = 128;

/** The pseudo-graph that every signed-in user may read (graphs G-4). */
export const libraryGraphId = 'library';

/** The shared repository that is always known, even if no plugin provides it (platform, grammar of graph ids). */
const defaultRepository = 'sec';

/** A repository's short name with an optional subgraph; case-insensitive, as refusals depend on it (graphs G-2). */
const repositoryIdForm = /^([a-z][a-z0-9]{1,30})(_[a-z0-9]{1,20})?$/i;

/** Returns the shared repository that an id names, or undefined; `registered` has those of plugins (graphs G-1). */
export function repositoryOf(text: string, registered: ReadonlySet<string>): string | undefined {
  const name = repositoryIdForm.exec(text)?.[1]?.toLowerCase();
  return name !== undefined && (name === defaultRepository || registered.has(name)) ? name : undefined;
}

/** True if the text matches the grammar of graph ids. */
export function isGraphId(text: string): boolean {
  return text.length <= maxGraphIdCharacters && graphIdForm.test(text);
}

/** Throws the 422 for a malformed graph id in a path, before anything is looked up (graphs G-40). */
export function requireGraphId(text: string): void {
  if (isGraphId(text)) return;
  const msg = 'Must be a graph id such as kg0123456789abcdef0123, with an optional subgraph name after an underscore';
  throw new ServiceError('invalid_input', 'INVALID_INPUT', `graph_id: ${msg}`, {
    issues: [{ loc: ['path', 'graph_id'], msg, type: 'string_pattern_mismatch', input: text.slice(0, 100) }],
  });
}

/** Returns the graph whose members apply to this id: itself, or the parent of a subgraph (graphs G-2). */
export function memberGraphId(graphId: string): string {
  return graphId.split('_', 1)[0] ?? graphId;
}

/** True if a key bound to `scopeGraphId` can access the graph: that one or a subgraph of it (platform K-3). */
export function isInKeyScope(scopeGraphId: string, graphId: string): boolean {
  return graphId === scopeGraphId || memberGraphId(graphId) === scopeGraphId;
}

const ulidAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ulidRandomBits = 80n;
const timeDigits = 12;
const chanceDigits = 8;

/** Derives a graph id from a fresh `<prefix>_<ULID>`: its time, so that ids sort by age, then a digest. */
export function newGraphId(id: string): string {
  const ulid = id.slice(id.lastIndexOf('_') + 1);
  let value = 0n;
  for (const character of ulid) {
    const digit = ulidAlphabet.indexOf(character);
    if (digit < 0) throw new Error(`'${id}' does not end in a ULID.`);
    value = value * 32n + BigInt(digit);
  }
  const time = (value >> ulidRandomBits).toString(16).padStart(timeDigits, '0').slice(-timeDigits);
  const chance = sha256(ulid).slice(0, chanceDigits);
  return `kg${time}${chance}`;
}
