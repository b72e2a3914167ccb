import { decimal } from '@pacioli/blocks';
import type { Decimal } from '../metrics/index.ts';

const halfEven = 2;

/** An amount of minor units in currency units. */
export function majorOf(minor: bigint, digits: number): Decimal {
  return decimal(`${minor}e-${digits}`);
}

/** Rounds an amount in currency units to minor units, half to even. */
export function minorOf(major: Decimal, digits: number): bigint {
  return BigInt(major.times(`1e${digits}`).round(0, halfEven).toFixed());
}

/** `amount × (target − fixed) / rest` in minor units, rounded once, half to even; the target is in currency units. */
export function scaled(
  amount: bigint,
  to: { readonly target: Decimal; readonly fixed: bigint; readonly rest: bigint },
  digits: number,
): bigint {
  const [whole = '', fraction = ''] = to.target.times(`1e${digits}`).toFixed().split('.');
  const unit = 10n ** BigInt(fraction.length);
  return divided(amount * (BigInt(whole + fraction) - to.fixed * unit), to.rest * unit);
}

/** The quotient rounded half to even. */
function divided(dividend: bigint, divisor: bigint): bigint {
  const [n, d] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor];
  const floor = n / d - (n % d < 0n ? 1n : 0n);
  const twice = 2n * (n - floor * d);
  return twice > d || (twice === d && floor % 2n !== 0n) ? floor + 1n : floor;
}
