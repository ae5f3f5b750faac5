/** People and tokens of an installation under attack. */
import { owner, type Server } from '../harness.ts';

export interface Actor {
  /** What goes along with each of their requests. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface MemberActor extends Actor {
  readonly memberId: string;
}

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

const sessionOf = (server: Server, response: Response): Actor => ({
  headers: { cookie: cookieOf(response), origin: server.url, 'content-type': 'application/json' },
});

export async function signIn(server: Server, given = owner): Promise<Actor> {
  const response = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify(given),
  });
  if (!response.ok) throw new Error(`sign-in of ${given.email}: ${response.status} ${await response.text()}`);
  return sessionOf(server, response);
}

/** Somebody who was invited by the owner, and has come. */
export async function join(
  server: Server,
  name: string,
  role: 'member' | 'admin',
  inviter?: Actor,
): Promise<MemberActor> {
  const email = `${name}@example.com`;
  const by = inviter ?? (await signIn(server));
  const invited = await act<{ id: string; inviteLink: string }>(server, by, 'POST', '/organizations/acme/members/', {
    email,
    role,
  });
  const token = invited.body.inviteLink.split('/').at(-1);
  const response = await fetch(`${server.url}/api/0/invitations/${token}/`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify({ password: `a long enough phrase of ${name}`, name }),
  });
  if (!response.ok) throw new Error(`${name} cannot join: ${response.status} ${await response.text()}`);
  const members = await server.api<{ id: string; email: string }[]>('/organizations/acme/members/');
  const memberId = members.find((member) => member.email === email)?.id ?? '';
  return { ...sessionOf(server, response), memberId };
}

export interface MadeToken extends Actor {
  readonly id: string;
}

/** A token with these scopes, made by somebody's session. */
export async function tokenOf(server: Server, by: Actor, ...scopes: readonly string[]): Promise<MadeToken> {
  const { body } = await act<{ id: string; token: string }>(server, by, 'POST', '/organizations/acme/api-tokens/', {
    name: scopes.join(' '),
    scopes,
  });
  return { id: body.id, headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/json' } };
}

export async function act<Body = Record<string, unknown>>(
  server: Server,
  { headers }: Actor,
  method: string,
  path: string,
  payload?: object,
): Promise<{ readonly status: number; readonly body: Body }> {
  const response = await fetch(`${server.url}/api/0${path}`, {
    method,
    headers,
    ...(payload && { body: JSON.stringify(payload) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : undefined) as Body };
}
