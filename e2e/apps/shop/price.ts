export interface CartLine {
  readonly name: string;
  readonly price: { readonly amount: number } | null;
}

/** Fails for what has no price, as real shops do. */
export function amountOf(line: CartLine): number {
  if (line.name === '') return 0;
  return line.price!.amount;
}
