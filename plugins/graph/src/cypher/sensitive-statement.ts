import { invalidInput, isSensitiveName } from '@pacioli/core';
import type { CheckedStatement } from './cypher-request.ts';

/** A part between quotes that can be a name; longer texts and texts with other signs are none. */
const quotedName = /^[\p{L}\p{N}\s_#-]{1,100}\.?$/u;

/**
 * Refuses a statement that names a property with a tax id or a bank account number, because its value could leave under
 * any name. Whole nodes and relationships are masked by the names of their properties (ai-surface PX-10).
 */
export function refuseSensitiveNames({ text, parameters }: Pick<CheckedStatement, 'text' | 'parameters'>): void {
  const name = sensitiveNameIn(text) ?? quotedNames(JSON.stringify(parameters)).find(isSensitiveName);
  if (name === undefined) return;
  throw invalidInput(
    `Tools do not read or compare ${name.trim()}, because tax ids and account numbers are masked. ` +
      'Return the whole node, which has its last four characters.',
  );
}

/** Looks at all words, also in texts and comments, so that nothing depends on where a quotation begins. */
function sensitiveNameIn(statement: string): string | undefined {
  const text = withoutEscapes(statement);
  return [...(text.match(/[\p{L}\p{N}_]+/gu) ?? []), ...quotedNames(text)].find(isSensitiveName);
}

function quotedNames(text: string): readonly string[] {
  return text.split(/['"`]/).filter((part) => quotedName.test(part));
}

/** Engines decode the escapes of characters in texts and quoted names. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\u+([0-9a-f]{8}|[0-9a-f]{4})/gi, (written, digits: string) => {
    const code = Number.parseInt(digits, 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    // Four digits with others behind them.
    return String.fromCharCode(Number.parseInt(digits.slice(0, 4), 16)) + written.slice(-4);
  });
}
