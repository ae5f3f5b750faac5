import { cookies } from 'next/headers';
import type { ReactNode } from 'react';

interface Session {
  readonly user: { readonly name: string };
}

const sessions = new Map<string | undefined, Session>();

export default async function AccountLayout({ children }: { children: ReactNode }) {
  const id = (await cookies()).get('session')?.value;
  const session = sessions.get(id) as Session;
  return (
    <main>
      <h1>{session.user.name}</h1>
      {children}
    </main>
  );
}
