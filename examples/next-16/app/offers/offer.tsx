'use client';

const discounts: Record<string, { percent: number }> = { spring: { percent: 10 } };

export function Offer({ season }: { season: string }) {
  return <h1>{discounts[season].percent} % off</h1>;
}
