import { setTimeout } from 'node:timers/promises';
import { connection } from 'next/server';
import { Suspense } from 'react';

const ratings: readonly number[] = [];

async function Reviews() {
  await connection();
  await setTimeout(300);
  const best = ratings.reduce((one, other) => Math.max(one, other));
  return <p>Best: {best}</p>;
}

export default function ReviewsPage() {
  return (
    <main>
      <h1>Reviews</h1>
      <Suspense fallback={<p>Loading…</p>}>
        <Reviews />
      </Suspense>
    </main>
  );
}
