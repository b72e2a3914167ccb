import { maxAmount } from '../../values/index.ts';
import { type Amount, hasPath, parseAmount } from './amount-expression.ts';
import { type Condition, holds, parseCondition } from './condition.ts';
import { TemplateProblem } from './template-path.ts';
import { amountOf, piecesOf, type TemplateScope, textOf, ValueProblem } from './template-values.ts';

type Fields = Readonly<Record<string, unknown>>;
export type Side = 'debit' | 'credit';

interface TemplateLeg {
  readonly side: Side;
  /** A reference to an account; it may contain paths. */
  readonly account: string;
  readonly amount: Amount;
}

interface TemplateEntry {
  readonly when: Condition | undefined;
  readonly legs: readonly TemplateLeg[];
}

/** A template that can be filled in; one entry, and one transaction, for each of its items. */
export type Template = readonly TemplateEntry[];

/** A resolved reference to an account: its kind and its name (ledger L-105). */
export interface AccountName {
  readonly by: 'id' | 'code' | 'external' | 'role';
  readonly name: string;
}

export interface FilledLeg {
  readonly side: Side;
  readonly account: AccountName;
  readonly amount: bigint;
}

/** Limits: items of a template, and legs of an item. */
export const maxItems = 50;
const maxLegs = 50;

/** Reads a template as it is sent and stored. Throws a TemplateProblem (ledger L-110). */
export function readTemplate(value: unknown): Template {
  const items = fieldsOf(value, 'transaction_template')['transactions'];
  if (!Array.isArray(items) || items.length === 0)
    throw shapeProblem('transaction_template.transactions', 'at least one item is required');
  if (items.length > maxItems)
    throw shapeProblem('transaction_template.transactions', `at most ${maxItems} items are allowed`);
  return items.map((item, index) => readItem(item, `transaction_template.transactions.${index}`));
}

function readItem(value: unknown, path: string): TemplateEntry {
  const item = fieldsOf(value, path);
  const entry = fieldsOf(item['entry_template'], `${path}.entry_template`);
  const more = entry['lines'] ?? [];
  if (!Array.isArray(more) || more.length > maxLegs)
    throw shapeProblem(`${path}.entry_template.lines`, `a list of at most ${maxLegs} lines is required`);
  const when = item['when'] ?? null;
  if (when !== null && typeof when !== 'string') throw shapeProblem(`${path}.when`, 'a condition is text');
  return {
    when: when === null ? undefined : parsed(`${path}.when`, () => parseCondition(when)),
    legs: [
      readLeg('debit', entry['debit'], `${path}.entry_template.debit`),
      readLeg('credit', entry['credit'], `${path}.entry_template.credit`),
      ...more.map((line, index) => readLine(line, `${path}.entry_template.lines.${index}`)),
    ],
  };
}

function readLine(value: unknown, path: string): TemplateLeg {
  const side = fieldsOf(value, path)['side'];
  if (side !== 'debit' && side !== 'credit') throw shapeProblem(`${path}.side`, 'debit or credit is required');
  return readLeg(side, value, path);
}

function readLeg(side: Side, value: unknown, path: string): TemplateLeg {
  const { element_id: account, amount } = fieldsOf(value, path);
  if (typeof account !== 'string' || account.trim() === '')
    throw shapeProblem(`${path}.element_id`, 'the name of an account is required');
  if (typeof amount !== 'string' || amount.trim() === '')
    throw shapeProblem(`${path}.amount`, 'an amount as text is required');
  parsed(`${path}.element_id`, () => piecesOf(account));
  return { side, account, amount: parsed(`${path}.amount`, () => readAmount(amount)) };
}

/** Reads an amount; a constant must be within the limit of an entry (ledger L-2). */
function readAmount(text: string): Amount {
  const amount = parseAmount(text);
  if (!hasPath(amount) && amountOf(amount, { event: {}, handler: {} }) > BigInt(maxAmount))
    throw new TemplateProblem(text, text.search(/\S/), `this exceeds ${maxAmount} minor units.`);
  return amount;
}

function parsed<T>(path: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TemplateProblem) throw new ShapeProblem(`${path}: ${error.message}`);
    throw error;
  }
}

/** A template of the wrong shape; the message begins with the path of the field. */
export class ShapeProblem extends Error {}

function shapeProblem(path: string, reason: string): ShapeProblem {
  return new ShapeProblem(`${path}: ${reason}.`);
}

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value));
  throw shapeProblem(path, 'an object is required');
}

/** The accounts that a template names without a path, so that they can be looked up before any event (ledger L-110). */
export function literalAccounts(template: Template): readonly AccountName[] {
  return template.flatMap(({ legs }) =>
    legs.filter(({ account }) => !account.includes('{{')).map(({ account }) => accountName(account)),
  );
}

/**
 * Fills a template from an event and returns the legs of each entry; entries whose amounts are all zero are left out.
 * Throws a ValueProblem for negative amounts and for entries that do not balance (ledger L-104).
 */
export function fillTemplate(template: Template, scope: TemplateScope): readonly (readonly FilledLeg[])[] {
  return template.flatMap(({ when, legs }, index) => {
    if (when !== undefined && !holds(when, scope)) return [];
    const filled = legs.map(({ side, account, amount }) => ({ side, account, value: amountOf(amount, scope) }));
    const negative = filled.find(({ value }) => value < 0n);
    if (negative !== undefined)
      throw new ValueProblem(`Template entry ${index}: the ${negative.side} amount ${negative.value} is below zero.`);
    const [debit, credit] = [sumOf(filled, 'debit'), sumOf(filled, 'credit')];
    if (debit !== credit)
      throw new ValueProblem(`Template entry ${index} is unbalanced: debit=${debit} credit=${credit}.`);
    const paid = filled.filter(({ value }) => value > 0n);
    if (paid.length === 0) return [];
    return [
      paid.map(({ side, account, value }) => ({ side, account: accountName(textOf(account, scope)), amount: value })),
    ];
  });
}

function sumOf(legs: readonly { readonly side: Side; readonly value: bigint }[], side: Side): bigint {
  return legs.filter((leg) => leg.side === side).reduce((sum, { value }) => sum + value, 0n);
}

function accountName(text: string): AccountName {
  const [, by, name] = /^(code|external|role):(.+)$/s.exec(text.trim()) ?? [];
  if (name === undefined) return { by: 'id', name: text.trim() };
  return { by: by === 'code' ? 'code' : by === 'role' ? 'role' : 'external', name: name.trim() };
}
