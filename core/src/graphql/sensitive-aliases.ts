import { isSensitiveName } from '../schema/sensitive-names.ts';
import { loadGraphql } from './library.ts';
import { documentLimits } from './limits.ts';

/**
 * Finds a field with a sensitive name that a document asks for under another name, under which its value would not be
 * masked (ai-surface PX-10). A document that cannot be parsed has none, because it is not run.
 */
export function renamedSensitiveField(text: string): string | undefined {
  const { BREAK, parse, visit } = loadGraphql();
  let document: ReturnType<typeof parse>;
  try {
    document = parse(text, { maxTokens: documentLimits.maxTokens });
  } catch {
    return undefined;
  }
  let found: string | undefined;
  visit(document, {
    Field({ name, alias }) {
      if (alias === undefined || !isSensitiveName(name.value) || isSensitiveName(alias.value)) return undefined;
      found = name.value;
      return BREAK;
    },
  });
  return found;
}
