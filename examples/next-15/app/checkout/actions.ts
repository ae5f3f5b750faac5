'use server';

export async function placeOrder(): Promise<void> {
  throw new Error('order could not be placed');
}

export async function pay(amount: number): Promise<void> {
  throw new Error(`payment of ${amount} refused`);
}
