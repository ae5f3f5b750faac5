import { applyCoupon, type Coupon } from './pricing.ts';

export interface Basket {
  readonly items: readonly { readonly name: string; readonly price: number; readonly count: number }[];
  readonly coupon: Coupon | null;
}

export function checkout(basket: Basket): number {
  let total = 0;
  for (const { price, count } of basket.items) total += price * count;
  if (total < 0) throw new RangeError('nothing is cheaper than free');
  return applyCoupon(total, basket.coupon);
}
