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
