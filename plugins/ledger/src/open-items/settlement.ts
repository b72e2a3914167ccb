import { invalidInput } from '@pacioli/core';
import type { LedgerEvent } from '../rows.gen.ts';
import { maxAmount } from '../values/index.ts';

/** The direction of a debt: owed to the company, or by it. */
export type Side = 'receivable' | 'payable';

/** The event types that create an open item, by side (ledger L-100). */
export const originatingTypes: Readonly<Record<Side, readonly string[]>> = {
  receivable: ['invoice_issued', 'sales_receipt_recorded'],
  payable: ['bill_received'],
};

/** The side on which an event type creates an open item; undefined for all others. */
export function originatingSide(eventType: string): Side | undefined {
  if (originatingTypes.receivable.includes(eventType)) return 'receivable';
  return originatingTypes.payable.includes(eventType) ? 'payable' : undefined;
}

/** The side of the payments whose references name what they settle (ledger L-90). */
export function paymentSide(eventType: string): Side | undefined {
  return eventType === 'payment_received' ? 'receivable' : eventType === 'bill_paid' ? 'payable' : undefined;
}

const bankTypes = ['bank_transaction', 'bank_fee', 'external_transfer', 'internal_transfer'];
const agentSides: Readonly<Record<string, Side>> = { customer: 'receivable', vendor: 'payable', supplier: 'payable' };

/** The settling event, such as a payment: its fields that decide which events it may settle. */
export interface Settling extends Omit<Settled, 'status'> {
  readonly agentType: string | null;
}

/** The settled event, such as an invoice: its fields that decide which events may settle it. */
export type Settled = Pick<LedgerEvent, 'event_type' | 'status' | 'currency' | 'amount'>;

/**
 * The side on which an event settles, from its type, else for a bank line from the direction of the money, else from
 * the type of its agent. Undefined for events that may settle either side, such as a write-off.
 */
function settlingSide(event: Settling, settled: Settled): Side | undefined {
  const byType = paymentSide(event.event_type) ?? originatingSide(event.event_type);
  if (byType !== undefined) return byType;
  if (bankTypes.includes(event.event_type)) {
    // A credit note is refunded in the other direction.
    const isRefund = (settled.amount ?? 0) < 0;
    return (event.amount ?? 0) > 0 === isRefund ? 'payable' : 'receivable';
  }
  return agentSides[event.agentType ?? ''];
}

const nouns: Readonly<Record<string, string>> = {
  invoice_issued: 'an invoice',
  sales_receipt_recorded: 'a sales receipt',
  bill_received: 'a bill',
};
const sideRules: Readonly<Record<Side, string>> = {
  receivable: 'Money from a customer settles invoices and sales receipts.',
  payable: 'Money to a vendor settles bills.',
};

/** The reason why an event cannot settle another; undefined when it can (ledger L-100a). */
export function problemOfSettling(event: Settling, settled: Settled): string | undefined {
  const what = nouns[settled.event_type] ?? 'an event';
  if (settled.status === 'voided' || settled.status === 'superseded')
    return `${what[0]?.toUpperCase()}${what.slice(1)} that is ${settled.status} cannot be settled. Name another event, or leave discharges_event_id out.`;
  if (event.currency !== settled.currency)
    return `A payment in ${event.currency} cannot settle ${what} in ${settled.currency}.`;
  const side = originatingSide(settled.event_type);
  if (side === undefined) return undefined;
  const own = settlingSide(event, settled);
  if (own !== undefined && own !== side)
    return `${sideRules[own]} Name one of those, or leave discharges_event_id out.`;
  const isCreditNote = (event.amount ?? 0) < 0 && (settled.amount ?? 0) >= 0;
  if (originatingSide(event.event_type) !== undefined && !isCreditNote)
    return 'Only a credit note, with an amount below zero, settles an event of its kind. Leave discharges_event_id out.';
  return undefined;
}

/** The sums by which lines raise and lower the accounts of a side, in its natural direction (ledger L-38). */
export interface ControlMovement {
  readonly raised: bigint;
  readonly lowered: bigint;
}

export type ControlNet = Readonly<Record<Side, ControlMovement>>;

/**
 * Adds up the lines on receivables and payables by account; accounts have their side by their sub-classification
 * (ledger L-101).
 */
export function controlNet(
  lines: readonly { readonly elementId: string; readonly debit: bigint; readonly credit: bigint }[],
  accounts: ReadonlyMap<string, { readonly subClassification: string | null }>,
): ControlNet {
  const debits = new Map<string, bigint>();
  for (const { elementId, debit, credit } of lines)
    debits.set(elementId, (debits.get(elementId) ?? 0n) + debit - credit);
  const movement = (side: Side): ControlMovement => {
    const nets = [...debits]
      .filter(([id]) => accounts.get(id)?.subClassification === side)
      .map(([, net]) => (side === 'receivable' ? net : -net));
    const sum = (parts: readonly bigint[]): bigint => parts.reduce((total, part) => total + part, 0n);
    return { raised: sum(nets.filter((net) => net > 0n)), lowered: -sum(nets.filter((net) => net < 0n)) };
  };
  return { receivable: movement('receivable'), payable: movement('payable') };
}

/**
 * Nets the movement of a side. A bill that is paid by credit card lowers one payable and raises another, which would
 * net to zero: then only the accounts that move in the direction of the event count.
 */
function netOf({ raised, lowered }: ControlMovement, isRaising: boolean): bigint {
  if (raised > 0n && lowered > 0n) return isRaising ? raised : -lowered;
  return raised - lowered;
}

/** The receivable and payable lines of an event's entry before and after its draft was changed. */
interface ChangedDraft {
  readonly before: ControlNet;
  readonly after: ControlNet;
  /** True if the event has entries besides the changed one. */
  readonly hasOtherEntries: boolean;
}

/**
 * The amount of an event in minor units after the lines of its draft changed; undefined if it stays (ledger L-100b). An
 * invoice or bill of one entry gets the amount of its lines, one of several entries changes by the difference. A payment
 * of 500 whose draft lowers receivables by 450 instead of 500 becomes one of 450. Throws when a payment would raise what
 * is open instead of settling it.
 */
export function amountAfterDraft(
  event: Pick<LedgerEvent, 'id' | 'event_type'> & { readonly amount: number },
  settled: readonly Settled[],
  { before: linesBefore, after: linesAfter, hasOtherEntries }: ChangedDraft,
): number | undefined {
  const own = originatingSide(event.event_type);
  const [first] = settled;
  const side = own ?? paymentSide(event.event_type) ?? (first && originatingSide(first.event_type));
  if (side === undefined) return undefined;
  const amount = BigInt(event.amount);
  // A refund pays a customer, and what settles a credit note moves like one.
  const isRefund = first === undefined ? side === 'receivable' && amount < 0n : (first.amount ?? 0) < 0;
  const isRaising = own === undefined ? isRefund : amount >= 0n;
  const [before, after] = [netOf(linesBefore[side], isRaising), netOf(linesAfter[side], isRaising)];
  if (after === before) return undefined;
  const delta = after - before;
  const magnitude = (amount < 0n ? -amount : amount) + (isRefund ? delta : -delta);
  if ((own === undefined || first !== undefined) && magnitude < 0n)
    throw invalidInput(
      `line_items: with these lines, event ${event.id} would raise what is open instead of settling it. Void it and record another event.`,
    );
  const ofPayment = magnitude * (amount < 0n ? -1n : 1n);
  const next = own === undefined ? ofPayment : hasOtherEntries ? amount + delta : after;
  if (next > BigInt(maxAmount) || next < -BigInt(maxAmount))
    throw invalidInput(`line_items: the amount of event ${event.id} would be above ${maxAmount} minor units.`);
  return Number(next);
}

/**
 * Allocates a payment to the items that it settles, in order: up to the open amount of each, with any excess on the
 * last. The parts add up to the payment.
 */
export function allocate(payment: bigint, open: readonly bigint[]): readonly bigint[] {
  let left = payment;
  return open.map((amount, index) => {
    const wanted = amount > 0n ? amount : 0n;
    const share = index === open.length - 1 || wanted > left ? left : wanted;
    left -= share;
    return share;
  });
}
