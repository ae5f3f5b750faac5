const totals: Record<string, number> = { '1': 40, '2': 12 };

function totalOf(id: string): number {
  if (!(id in totals)) throw new RangeError(`invoice ${id} missing`);
  return totals[id];
}

export default async function Invoice({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <h1>Total: {totalOf(id)}</h1>;
}
