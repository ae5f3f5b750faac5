const tickets: Record<string, { subject: string }> = { '1': { subject: 'Where is my parcel?' } };

export default async function Ticket({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <h1>{tickets[id].subject}</h1>;
}
