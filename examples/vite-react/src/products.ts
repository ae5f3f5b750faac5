import { ServerFailure } from '@culprit/react';

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: number;
}

/** Rejects with the digest of the server when the server failed, so that the screen shows it. */
export async function fetchProducts(category: string): Promise<readonly Product[]> {
  const response = await fetch(`/api/products?category=${encodeURIComponent(category)}`);
  if (!response.ok) throw await ServerFailure.from(response);
  return (await response.json()) as readonly Product[];
}
