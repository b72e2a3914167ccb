/** A model's proposal for one account. */
export interface ModelProposal {
  readonly accountId: string;
  /** Null when the model finds no fitting concept. */
  readonly targetId: string | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Four characters for each token of an answer, with some margin. */
const maxAnswerCharacters = 64_000;

/**
 * Extracts the proposals of an answer from surrounding prose, code fences, several lists, or a truncated list, of which
 * the complete objects count (taxonomy AM-8). Unreadable parts are skipped.
 */
export function readModelAnswer(text: string): readonly ModelProposal[] {
  return flatObjects(text.slice(0, maxAnswerCharacters)).flatMap((object) => proposalIn(object) ?? []);
}

/** Complete objects without nested objects; brackets within strings do not count. */
function flatObjects(text: string): readonly string[] {
  const objects: string[] = [];
  const seen = new Uint8Array(text.length);
  let start = text.indexOf('{');
  while (start !== -1) {
    const end = endOfFlatObject(text, start, seen);
    if (end !== undefined) objects.push(text.slice(start, end));
    start = text.indexOf('{', end ?? start + 1);
  }
  return objects;
}

const outsideText = 1;
const insideText = 2;

/**
 * Returns the end of the object that starts here; undefined when it is not closed or contains another object. `seen`
 * records how each position was reached: a later scan that reaches it in the same state would fail as well, so that an
 * answer is parsed in linear time, whatever its content.
 */
function endOfFlatObject(text: string, start: number, seen: Uint8Array): number | undefined {
  let state = outsideText;
  for (let at = start + 1; at < text.length; at += 1) {
    const before = seen[at] ?? 0;
    if ((before & state) !== 0) return undefined;
    seen[at] = before | state;
    const character = text[at];
    if (character === '"') state = state === insideText ? outsideText : insideText;
    else if (state === insideText && character === '\\') at += 1;
    else if (state === outsideText && character === '}') return at + 1;
    else if (state === outsideText && character === '{') return undefined;
  }
  return undefined;
}

function proposalIn(object: string): ModelProposal | undefined {
  const { element_id: accountId, target_id: targetId, confidence } = fieldsOf(object);
  const sure = typeof confidence === 'string' ? Number(confidence.trim() || 'none') : confidence;
  if (typeof accountId !== 'string' || typeof sure !== 'number' || !(sure >= 0 && sure <= 1)) return undefined;
  if (targetId === undefined || targetId === null) return { accountId, targetId: null, confidence: sure };
  return typeof targetId === 'string' ? { accountId, targetId, confidence: sure } : undefined;
}

function fieldsOf(object: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(object);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/**
 * Accepts proposals for requested accounts with an offered target, and of several for one account the most confident
 * (taxonomy AM-8).
 */
export function acceptedProposals(
  proposals: readonly ModelProposal[],
  accountIds: ReadonlySet<string>,
  targetIds: ReadonlySet<string>,
): ReadonlyMap<string, { readonly targetId: string; readonly confidence: number }> {
  const accepted = new Map<string, { readonly targetId: string; readonly confidence: number }>();
  for (const { accountId, targetId, confidence } of proposals) {
    if (targetId === null || !accountIds.has(accountId) || !targetIds.has(targetId)) continue;
    if (confidence > (accepted.get(accountId)?.confidence ?? -1)) accepted.set(accountId, { targetId, confidence });
  }
  return accepted;
}
