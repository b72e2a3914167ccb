/** Names that are sensitive as the last word of a name, such as `vendor_ein`. */
const sensitiveWords: ReadonlySet<string> = new Set(['ein', 'ssn', 'tin', 'itin', 'iban']);

/** The end of a name without case and separators, such as `bankaccountnumber`. */
const sensitiveEnd =
  /(?:(?:tax|taxpayer|vat|gst|socialsecurity|employeridentification|taxidentification|taxpayeridentification|(?:bank)?(?:account|acct)|(?:bank|aba)?routing)(?:no|nos|nr|num|number|numbers)|(?:tax|taxpayer|vat|gst)(?:id|ids|identifier|identification|registrationnumber)|sortcode|iban|ibans)$/;

/**
 * True for the name of a field with a tax id or a bank account number (ai-surface PX-10), in any case and with any
 * separators: `tax_id`, `supplierVatId`, `Account No.`.
 */
export function isSensitiveName(name: string): boolean {
  const words = name
    .normalize('NFKC')
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return sensitiveWords.has(words.at(-1) ?? '') || sensitiveEnd.test(words.join(''));
}
