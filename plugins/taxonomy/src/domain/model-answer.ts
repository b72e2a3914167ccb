/** What a model says about one account. */
export interface ModelProposal {
  readonly accountId: string;
  /** Null when the model sees no fitting concept. */
  readonly targetId: string | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Four characters for each token that an answer may have, and some for a talkative one. */
const answer_characters_max = 64_000;

/** An object without objects in it, complete with its closing bracket; brackets within texts do not count. */
const flatObject = /\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/gs;

/**
 * The proposals of an answer, whatever stands around them: prose, code fences, several lists, or a list that breaks off,
 * of which the complete objects count (taxonomy AM-8). What cannot be read is left out.
 */
export function readModelAnswer(text: string): readonly ModelProposal[] {
  const objects = text.slice(0, answer_characters_max).match(flatObject) ?? [];
  return objects.flatMap((object) => proposalIn(object) ?? []);
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
 * The proposals by account that count: for accounts that were asked about, with a target that was offered, and the
 * surest of several (taxonomy AM-8).
 */
export function acceptedProposals(
  proposals: readonly ModelProposal[],
  asked: ReadonlySet<string>,
  slate: ReadonlySet<string>,
): ReadonlyMap<string, { readonly targetId: string; readonly confidence: number }> {
  const accepted = new Map<string, { readonly targetId: string; readonly confidence: number }>();
  for (const { accountId, targetId, confidence } of proposals) {
    if (targetId === null || !asked.has(accountId) || !slate.has(targetId)) continue;
    if (confidence > (accepted.get(accountId)?.confidence ?? -1)) accepted.set(accountId, { targetId, confidence });
  }
  return accepted;
}
