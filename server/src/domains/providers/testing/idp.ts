/** A provider on 127.0.0.1 that speaks OpenID Connect, and does so wrongly when told to. For tests. */
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Json = Record<string, unknown>;

export interface Idp extends AsyncDisposable {
  readonly issuer: string;
  /** As the API takes them. */
  readonly settings: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };
  /** Who signs in next. */
  person: Json;
  /** Claims that only the endpoint for information about users gives. */
  more: Json | undefined;
  /** Changes what is answered. */
  tamper: {
    readonly claims?: (claims: Json) => Json;
    readonly header?: Json;
    /** `none`, or an HMAC with that secret; else RS256 with the provider's key. */
    readonly signature?: 'none' | { readonly secret: string } | 'foreign';
    readonly metadata?: Json;
    readonly redirect?: string;
    readonly document?: string;
  };
  readonly requests: string[];
  /** Tokens that were given out. */
  readonly issued: string[];
  /** Signs the person in, as a browser would that was sent there. Returns where it is sent back to. */
  authorize(location: string): URL;
}

interface Grant {
  readonly redirect: string;
  readonly challenge: string;
  readonly nonce: string | undefined;
  readonly person: Json;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const clientId = 'culprit';
const clientSecret = 'secret-of-the-client';

export async function openIdp(): Promise<Idp> {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Json>();
  const requests: string[] = [];
  const issued: string[] = [];

  const idToken = (grant: Grant): string => {
    const now = Math.floor(Date.now() / 1000);
    const plain: Json = {
      iss: idp.issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      ...(grant.nonce !== undefined && { nonce: grant.nonce }),
      ...grant.person,
    };
    const claims = idp.tamper.claims?.(plain) ?? plain;
    const { signature } = idp.tamper;
    const alg = signature === 'none' ? 'none' : typeof signature === 'object' ? 'HS256' : 'RS256';
    const signed = `${encode({ alg, kid: 'own', ...idp.tamper.header })}.${encode(claims)}`;
    if (signature === 'none') return `${signed}.`;
    if (typeof signature === 'object') {
      return `${signed}.${createHmac('sha256', signature.secret).update(signed).digest('base64url')}`;
    }
    const { privateKey } = signature === 'foreign' ? foreign : own;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };

  const answers: Readonly<Record<string, (request: IncomingMessage) => Promise<[number, unknown]>>> = {
    '/.well-known/openid-configuration': async () => [
      200,
      {
        issuer: idp.issuer,
        authorization_endpoint: `${idp.issuer}/authorize`,
        token_endpoint: `${idp.issuer}/token`,
        userinfo_endpoint: `${idp.issuer}/userinfo`,
        jwks_uri: `${idp.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
        ...idp.tamper.metadata,
      },
    ],
    '/keys': async () => [200, { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig' }] }],
    '/userinfo': async ({ headers }) => {
      const person = tokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '');
      return person ? [200, { sub: person['sub'], ...idp.more }] : [401, {}];
    },
    async '/token'(request) {
      const body = new URLSearchParams(await text(request));
      const basic = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
      const [name, secret] = basic.split(':').map((part) => decodeURIComponent(part));
      if (name !== clientId || secret !== clientSecret) return [401, { error: 'invalid_client' }];
      const code = body.get('code') ?? '';
      const grant = grants.get(code);
      grants.delete(code);
      const challenge = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url');
      if (!grant || grant.redirect !== body.get('redirect_uri') || grant.challenge !== challenge) {
        return [400, { error: 'invalid_grant' }];
      }
      const token = randomBytes(16).toString('hex');
      tokens.set(token, grant.person);
      const id_token = idToken(grant);
      issued.push(token, id_token);
      return [200, { access_token: token, token_type: 'Bearer', id_token }];
    },
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    requests.push(`${request.method} ${path}`);
    const { redirect, document } = idp.tamper;
    if (redirect !== undefined) return void response.writeHead(302, { location: redirect }).end();
    if (document !== undefined)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    const answer = answers[path]?.(request) ?? Promise.resolve([404, {}] as [number, unknown]);
    answer.then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const idp: Idp = {
    issuer,
    settings: { issuer, clientId, clientSecret },
    person: {},
    more: undefined,
    tamper: {},
    requests,
    issued,
    authorize(location) {
      const url = new URL(location);
      const { searchParams: asked } = url;
      if (url.origin !== issuer) throw new Error(`sent to ${url.origin}`);
      if (asked.get('client_id') !== clientId || asked.get('response_type') !== 'code') throw new Error(url.href);
      if (asked.get('code_challenge_method') !== 'S256') throw new Error('without PKCE');
      const code = randomBytes(16).toString('hex');
      const redirect = asked.get('redirect_uri') ?? '';
      grants.set(code, {
        redirect,
        challenge: asked.get('code_challenge') ?? '',
        nonce: asked.get('nonce') ?? undefined,
        person: idp.person,
      });
      const back = new URL(redirect);
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      back.searchParams.set('iss', issuer);
      return back;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return idp;
}
