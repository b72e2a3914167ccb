/** Events that leave something to be paid (ledger L-100). */
const openingTypes = ['invoice_issued', 'sales_receipt_recorded', 'bill_received'];

/**
 * What the reversal of an entry of this event needs beside, to be said where the reversal is proposed: what is open is
 * counted by events, not by entries (ledger L-100). Empty for events that leave nothing open.
 */
export function settlingHint(event: { readonly id: string; readonly event_type: string } | undefined): string {
  return event === undefined || !openingTypes.includes(event.event_type)
    ? ''
    : ` It stays open to be paid unless the reversal has its amount and names it in discharges_event_id ('${event.id}').`;
}

/**
 * The parts of a payment that go to each of what it settles, in order: as much as is open, and what is left over to the
 * last. The parts sum up to the payment.
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
