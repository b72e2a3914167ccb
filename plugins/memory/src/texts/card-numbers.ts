/** The first digits and the lengths of the numbers of payment cards. */
const issuers: readonly RegExp[] = [
  /^4(\d{12}|\d{15}|\d{18})$/, // Visa
  /^(5[1-5]\d{14}|2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^(6011|65\d\d|64[4-9]\d)\d{12,15}$/, // Discover
  /^3(0[0-5]|[689]\d)\d{11,16}$/, // Diners Club
  /^35(2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^62\d{14,17}$/, // UnionPay
  /^(50|5[6-8]|6\d)\d{11,17}$/, // Maestro
];

/** What stands before a card number: its name, or nothing that makes it a part of a code or of an amount. */
const before = String.raw`(?:(?<=(?<!\p{L})(?:card|visa|mastercard|maestro|amex)(?:[-_ ]?(?:number|no))?[-_.#/]?)|(?<![\p{L}\p{N}]|\p{L}[-._#/]|\d[.,_]))`;
const after = String.raw`(?![\p{L}\p{N}]|_[\p{L}\p{N}]|[.,]\d)`;

/**
 * A number with groups that single spaces or dashes separate: either one that begins with a plus, which is a phone
 * number and is skipped, or one that the characters around it do not make a part of a code or of an amount.
 */
const runOfDigits = new RegExp(String.raw`\+\d+(?:[ -]\d+)*|${before}\d+(?:[ -]\d+)*${after}`, 'giu');

/**
 * The groups that cards print, whatever separates them: a line break, points, two spaces. In other groups, these
 * separate the numbers of a list or the parts of an amount; so they do if another group of four digits is next to them.
 */
const gap = String.raw`(?:\s?[-.]\s?|\s{1,3})`;
const printedCard = new RegExp(
  String.raw`(?<!\+|\d{4}${gap})${before}(?:\d{4}${gap}\d{6}${gap}\d{4,5}|\d{4}(?:${gap}\d{4}){3}(?:${gap}\d{3})?)` +
    String.raw`(?!${gap}\d{4}(?!\d))${after}`,
  'giu',
);

/** The printed form of an IBAN, whose groups of digits could look like a card number. */
const printedIban = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){3,7}(?: [A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu;

const [minDigits, maxDigits] = [13, 19];
/**
 * A card number has at most five groups, and eight with the date and the code after it. More groups are a list, unless
 * each is a single digit and together they form a card number.
 */
const maxGroups = 8;

/** True if the text has the number of a payment card (ME-14). */
export function hasCardNumber(text: string): boolean {
  const others = text.replaceAll(printedIban, '');
  for (const [card] of others.matchAll(printedCard)) if (isCardNumber(card.match(/\d+/g) ?? [])) return true;
  for (const [run] of others.matchAll(runOfDigits)) {
    if (run.startsWith('+')) continue;
    const groups = run.split(/[ -]/);
    if (groups.length <= maxGroups && windows(groups).some(isCardNumber)) return true;
    if (digitByDigit(groups).some(isCardNumber)) return true;
  }
  return false;
}

/**
 * Returns the digits that a number written digit by digit begins with, in each length of a card number: a date and a code
 * may follow the card.
 */
function digitByDigit(groups: readonly string[]): readonly (readonly string[])[] {
  const end = groups.findIndex(({ length }) => length > 1);
  const digits = end === -1 ? groups : groups.slice(0, end);
  const lengths = Array.from({ length: maxDigits - minDigits + 1 }, (_, index) => minDigits + index);
  return lengths.filter((length) => length <= digits.length).map((length) => digits.slice(0, length));
}

/** All sequences of neighboring groups with as many digits as a card number, which a date may precede or follow. */
function windows(groups: readonly string[]): readonly (readonly string[])[] {
  return groups.flatMap((_, from) =>
    groups
      .slice(from)
      .map((_group, index) => groups.slice(from, from + index + 1))
      .filter((window) => {
        const digits = window.join('').length;
        return digits >= minDigits && digits <= maxDigits;
      }),
  );
}

function isCardNumber(groups: readonly string[]): boolean {
  const digits = groups.join('');
  return issuers.some((form) => form.test(digits)) && passesLuhn(digits) && !isListOfCodes(groups);
}

/** The checksum of ISO/IEC 7812-1, annex B, which one in ten other numbers passes, too. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (1 + (index % 2));
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** True for account codes such as 4000 4100 4200 4310: ascending, with one first digit. So is one card in 24,000. */
function isListOfCodes(groups: readonly string[]): boolean {
  if (groups.length < 2) return false;
  return groups.every((group, index) => {
    const before = groups[index - 1];
    return before === undefined || (before.length === group.length && before[0] === group[0] && before < group);
  });
}
