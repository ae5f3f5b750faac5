import { connection } from 'next/server';
import { Offer } from './offer';

export default async function OffersPage() {
  await connection();
  return <Offer season="winter" />;
}
