/** An identity provider that shares no code with Culprit: the certified `oidc-provider`, on 127.0.0.1, with a login page of its own. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** From now on it takes people back to this address. */
  knows(redirectUrl: string): void;
}

/** Who signs in as `name` has the address `name@acme.example`, verified unless the name says otherwise. */
const claimsOf = (name: string) => ({
  sub: name,
  name: name.charAt(0).toUpperCase() + name.slice(1),
  email: `${name}@acme.example`,
  email_verified: !name.startsWith('unverified'),
  groups: name === 'olivia' ? ['owners'] : ['staff'],
});

export async function openIdentityProvider(): Promise<IdentityProvider> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'culprit', clientSecret: 'a secret of the identity provider' };
  return {
    issuer,
    ...client,
    knows(redirectUrl) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.clientId,
            client_secret: client.clientSecret,
            redirect_uris: [redirectUrl],
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
        findAccount: (_context, id) => ({ accountId: id, claims: () => claimsOf(id) }),
        cookies: { keys: ['a key of a test'] },
        pkce: { required: () => true },
      });
      answer = provider.callback();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
