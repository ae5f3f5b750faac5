import { connection } from 'next/server';
import { Suspense } from 'react';
import { Clock } from './clock';

export default async function ClockPage() {
  await connection();
  return (
    <Suspense fallback={<p>Loading…</p>}>
      <Clock />
    </Suspense>
  );
}
