interface Order {
  readonly lines: readonly { readonly price: number; readonly count: number }[];
  readonly discount?: { readonly percent: number };
}

export const orders: Order[] = [
  { lines: [{ price: 12.5, count: 2 }], discount: { percent: 10 } },
  { lines: [{ price: 7.2, count: 1 }] },
];

/** Not every order has a discount, which this forgets. */
export function totalOf(id: number): number {
  const { lines, discount } = orders[id - 1] as Required<Order>;
  const sum = lines.reduce((total, { price, count }) => total + price * count, 0);
  return (sum * (100 - discount.percent)) / 100;
}
