import type { LedgerEvent } from '../rows.gen.ts';

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
export interface Settling extends Settled {
  readonly agentType: string | null;
}

/** The settled event, such as an invoice: its fields that decide which events may settle it. */
export type Settled = Pick<LedgerEvent, 'event_type' | 'currency' | 'amount'>;

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
export function netOf({ raised, lowered }: ControlMovement, isRaising: boolean): bigint {
  if (raised > 0n && lowered > 0n) return isRaising ? raised : -lowered;
  return raised - lowered;
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
