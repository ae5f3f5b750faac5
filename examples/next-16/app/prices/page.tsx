import { revalidatePath } from 'next/cache';
import { connection } from 'next/server';

/** Revalidating while rendering is what the framework forbids: it throws an error of its own. */
export default async function PricesPage() {
  await connection();
  revalidatePath('/prices');
  return <h1>Prices</h1>;
}
