const maxDigits = 20;

/** A key that sorts codes as people do: runs of digits by value, everything else by letter (ledger L-36). */
export function codeOrder(code: string): string {
  return code.toLowerCase().replace(/\d+/g, (run) => run.replace(/^0+(?=\d)/, '').padStart(maxDigits, '0'));
}
