/** An organisation with an administrator and a member of the team Payments, who all send requests. For tests. */
import { expect } from 'vitest';
import { openTestApi, type TestApi } from '../testing.ts';

export const org = '/api/0/organizations/acme';
export const password = 'correct horse battery';

export interface Member {
  id: string;
  email: string;
  handle: string;
  role: string;
  teams: string[];
  pending: boolean;
  user: { id: string } | null;
}
export interface Invited extends Member {
  inviteLink: string;
}

/** Somebody with a session of their own. */
export interface Person {
  readonly cookie: string;
  readonly id: string;
  readonly userId: string;
}

export interface TeamApi extends TestApi {
  readonly admin: Person;
  /** Of the team `payments`. */
  readonly jane: Person;
  /** As the owner unless somebody else is named. */
  send<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    as?: Person,
  ): Promise<{ status: number; body: T & { code?: string; detail?: string } }>;
  members(): Promise<Member[]>;
  invite(email: string, more?: object): Promise<Invited>;
  join(email: string, more?: object): Promise<Person>;
}

const headers = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });

export const tokenIn = ({ inviteLink }: Invited): string => inviteLink.slice(inviteLink.lastIndexOf('/') + 1);

export async function openTeamApi(options?: { readonly smtpUrl: string }): Promise<TeamApi> {
  const api = await openTestApi(options);

  const send: TeamApi['send'] = async <T>(
    ...[method, url, payload, as]: Parameters<TeamApi['send']>
  ): Promise<{ status: number; body: T & { code?: string; detail?: string } }> => {
    const answer = as
      ? await api.app.inject({ method, url, headers: headers(as.cookie), ...(payload && { payload }) })
      : await api.call({ method, url, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.body === '' ? ({} as T & { code?: string }) : answer.json() };
  };
  const members = () => api.get<Member[]>(`${org}/members/`);
  const invite: TeamApi['invite'] = async (email, more = {}) => {
    const { status, body } = await send<Invited>('POST', `${org}/members/`, { email, ...more });
    expect(status).toBe(201);
    return body;
  };
  const join: TeamApi['join'] = async (email, more = {}) => {
    const token = tokenIn(await invite(email, more));
    const answer = await api.app.inject({
      method: 'POST',
      url: `/api/0/invitations/${token}/`,
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { password },
    });
    expect(answer.statusCode).toBe(200);
    const cookie = [answer.headers['set-cookie']]
      .flat()
      .map((one) => String(one).split(';', 1)[0])
      .join('; ');
    const member = (await members()).find((one) => one.email === email);
    return { cookie, id: member?.id ?? '', userId: member?.user?.id ?? '' };
  };

  await send('POST', `${org}/teams/`, { name: 'Payments', projects: ['web'] });
  const admin = await join('ada@example.com', { role: 'admin' });
  const jane = await join('jane@example.com', { teams: ['payments'] });
  return { ...api, admin, jane, send, members, invite, join };
}
