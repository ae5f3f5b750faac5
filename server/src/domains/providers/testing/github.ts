/** GitHub on 127.0.0.1, as far as a sign-in asks it. For tests. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface GitHub extends AsyncDisposable {
  readonly url: string;
  person: {
    readonly id: number;
    readonly login: string;
    readonly name: string | null;
    readonly emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[];
    readonly organizations: Readonly<Record<string, 'active' | 'pending'>>;
    readonly teams: readonly (readonly [organization: string, slug: string])[];
  };
  /** Scopes that were last asked for. */
  scope: string;
  authorize(location: string): URL;
}

export async function openGitHub(): Promise<GitHub> {
  const grants = new Map<string, { readonly redirect: string; readonly challenge: string }>();
  const tokens = new Set<string>();

  const tokenFor = (body: URLSearchParams): object => {
    if (body.get('client_id') !== 'client' || body.get('client_secret') !== 'hub-secret') {
      return {
        error: 'incorrect_client_credentials',
        error_description: 'The client_id and/or client_secret are incorrect.',
      };
    }
    const code = body.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.redirect !== body.get('redirect_uri') || grant.challenge !== challenge) {
      return { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' };
    }
    const token = `gho_${randomBytes(12).toString('hex')}`;
    tokens.add(token);
    return { access_token: token, token_type: 'bearer', scope: hub.scope };
  };

  const answerOf = (path: string): unknown => {
    const { id, login, name, emails, organizations, teams } = hub.person;
    const organization = /^\/user\/memberships\/orgs\/(.+)$/.exec(path)?.[1];
    if (organization !== undefined) return organizations[organization] && { state: organizations[organization] };
    const known: Readonly<Record<string, unknown>> = {
      '/user': { id, login, name, email: 'public@profile.example' },
      '/user/emails': emails,
      '/user/teams': teams.map(([owner, slug]) => ({ slug, organization: { login: owner } })),
    };
    return known[path];
  };

  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const say = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    if (path === '/login/oauth/access_token') {
      void text(request).then((body) => say(200, tokenFor(new URLSearchParams(body))));
      return;
    }
    const isKnown = tokens.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
    const found = isKnown && path.startsWith('/api/v3') ? answerOf(path.slice('/api/v3'.length)) : undefined;
    if (!isKnown) say(401, { message: 'Bad credentials' });
    else if (found === undefined) say(404, { message: 'Not Found' });
    else say(200, found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const hub: GitHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { id: 1, login: 'kim', name: 'Kim', emails: [], organizations: {}, teams: [] },
    scope: '',
    authorize(location) {
      const url = new URL(location);
      if (url.pathname !== '/login/oauth/authorize') throw new Error(url.pathname);
      hub.scope = url.searchParams.get('scope') ?? '';
      const code = randomBytes(10).toString('hex');
      const redirect = url.searchParams.get('redirect_uri') ?? '';
      grants.set(code, { redirect, challenge: url.searchParams.get('code_challenge') ?? '' });
      const back = new URL(redirect);
      back.searchParams.set('code', code);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      return back;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hub;
}
