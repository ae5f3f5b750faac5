/**
 * OpenID Connect, for any provider that has a discovery document: the code flow with PKCE, state and nonce. The ID token
 * is checked with the keys of the provider, whatever connection it came by.
 */
import * as client from 'openid-client';
import { providerTexts } from '../../base/texts/providers.ts';
import type { Asserted } from './admit.ts';
import { groupsIn } from './groups.ts';
import { type Kind, type Settings, usualScopes } from './kinds.ts';
import { fetchOutside } from './outside.ts';
import type { Probe, Protocol } from './protocol.ts';
import type { Provider } from './provider.ts';
import { isRedirectProblem, outboundIn, refusedBy, wordsOf } from './openid-errors.ts';
import { SignInRefused } from './refused.ts';

interface Dialect {
  readonly issuer: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  /** Parameters that this provider wants besides. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether somebody is in the part of the provider that is asked for. */
  belongs?(claims: Claims, groups: readonly string[]): boolean;
}

type Claims = Readonly<Record<string, unknown>>;

/** Only these sign with a key that the provider alone has. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export interface OpenIdOptions {
  /** In place of Google's own, for tests. */
  readonly googleIssuer?: string;
}

const configurationLastsMs = 60 * 60_000;
const failureLastsMs = 5_000;
const clockToleranceSeconds = 60;

type Known = Pick<Provider, 'kind' | 'settings'>;

export function createOpenId({ googleIssuer = 'https://accounts.google.com' }: OpenIdOptions = {}): Protocol {
  const dialects: Readonly<Partial<Record<Kind, (settings: Settings) => Dialect>>> = {
    oidc: ({ issuer = '', scopes = usualScopes, groupsClaim = 'groups' }) => ({
      issuer,
      scopes,
      groupsClaim,
    }),
    gitlab: ({ url = '', group }) => ({
      issuer: url,
      scopes: usualScopes,
      groupsClaim: 'groups',
      belongs: (_claims, groups) => group === undefined || groups.includes(group),
    }),
    google: ({ hostedDomain }) => ({
      issuer: googleIssuer,
      scopes: usualScopes,
      groupsClaim: 'groups',
      parameters: { prompt: 'select_account', ...(hostedDomain && { hd: hostedDomain }) },
      belongs: ({ hd }) => hostedDomain === undefined || hd === hostedDomain,
    }),
  };
  const dialectOf = ({ kind, settings }: Known): Dialect => {
    const dialect = dialects[kind]?.(settings);
    if (!dialect) throw new Error(`${kind} is not spoken here`);
    return dialect;
  };

  const configurations = new Map<string, { readonly until: number; readonly found: Promise<client.Configuration> }>();
  /** Read once an hour, and again when the settings change. */
  const configurationOf = async (provider: Provider): Promise<client.Configuration> => {
    const key = `${provider.id} ${provider.updatedAt}`;
    const known = configurations.get(key);
    if (known && known.until > Date.now()) return known.found;
    for (const old of configurations.keys()) if (old.startsWith(`${provider.id} `)) configurations.delete(old);
    const found = discover(dialectOf(provider), provider.settings);
    // Nobody makes us ask one again and again that does not answer.
    found.catch(() => configurations.set(key, { until: Date.now() + failureLastsMs, found }));
    configurations.set(key, { until: Date.now() + configurationLastsMs, found });
    return found;
  };

  return {
    async begin(provider, { callback, state }) {
      const { scopes, parameters } = dialectOf(provider);
      try {
        const configuration = await configurationOf(provider);
        const kept = { verifier: client.randomPKCECodeVerifier(), nonce: client.randomNonce() };
        const url = client.buildAuthorizationUrl(configuration, {
          ...parameters,
          redirect_uri: callback,
          scope: scopes,
          state,
          nonce: kept.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(kept.verifier),
          code_challenge_method: 'S256',
        });
        return { url, kept };
      } catch (error) {
        throw refusedBy(error);
      }
    },
    async finish(provider, { url, state, kept }) {
      const dialect = dialectOf(provider);
      try {
        const configuration = await configurationOf(provider);
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: kept['nonce'] ?? '',
          pkceCodeVerifier: kept['verifier'] ?? '',
          idTokenExpected: true,
        });
        const claims: Claims = tokens.claims() ?? {};
        const subject = String(claims['sub'] ?? '');
        const needsGroups = provider.mapping.length > 0 || dialect.belongs !== undefined;
        const isWhole = saysAddress(claims) && (!needsGroups || groupsIn(claims, dialect.groupsClaim) !== undefined);
        const more: Claims =
          isWhole || configuration.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await client.fetchUserInfo(configuration, tokens.access_token, subject);
        const asserted = assertedBy(subject, claims, more, dialect.groupsClaim);
        if (dialect.belongs && !dialect.belongs(claims, asserted.groups)) throw new SignInRefused('group_missing');
        return asserted;
      } catch (error) {
        throw refusedBy(error);
      }
    },
    probe: (provider, callback) => probe(dialectOf(provider), provider.settings, callback),
  };
}

async function discover({ issuer }: Dialect, settings: Settings): Promise<client.Configuration> {
  const { clientId = '', clientSecret } = settings;
  const isPlain = issuer.startsWith('http://');
  const configuration = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    [client.customFetch]: callProvider,
    execute: isPlain ? [client.allowInsecureRequests] : [],
  });
  const { supportsPKCE: _supportsPKCE, ...server } = configuration.serverMetadata();
  // Some providers have one document for whoever they serve, and a token of anybody's would do.
  if (trimmed(server.issuer) !== trimmed(issuer)) throw new SignInRefused('failed', providerTexts.otherIssuer);
  const made = new client.Configuration(
    { ...server, id_token_signing_alg_values_supported: acceptedOf(server) },
    clientId,
    { [client.clockTolerance]: clockToleranceSeconds },
    // How it wants to be told the secret is known only now.
    authenticationFor(server, clientSecret),
  );
  made[client.customFetch] = callProvider;
  if (isPlain) client.allowInsecureRequests(made);
  client.enableNonRepudiationChecks(made);
  return made;
}

const callProvider: client.CustomFetch = async (url, { method, headers, body }) =>
  fetchOutside(url, { method, headers, ...(body !== undefined && body !== null && { body: String(body) }) });

function authenticationFor(server: client.ServerMetadata, secret: string | undefined): client.ClientAuth {
  if (secret === undefined) return client.None();
  const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return ways.includes('client_secret_post') ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
}

const trimmed = (issuer: string): string => issuer.replace(/\/$/, '');

const acceptedOf = (server: client.ServerMetadata): string[] =>
  (server.id_token_signing_alg_values_supported ?? ['RS256']).filter((one) => algorithms.includes(one));

/** As a yes: some providers write it as a text. Microsoft Entra says it of the domain's owner. */
const isYes = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1';

const saysAddress = (claims: Claims): boolean =>
  typeof claims['email'] === 'string' && ('email_verified' in claims || 'xms_edov' in claims);

/** The address and that it is verified come from one place. */
export function assertedBy(subject: string, claims: Claims, more: Claims, groupsClaim: string): Asserted {
  const source = saysAddress(claims) || !saysAddress(more) ? claims : more;
  const { email } = source;
  const name = [claims['name'], more['name'], claims['preferred_username']].find((one) => typeof one === 'string');
  return {
    subject,
    email: typeof email === 'string' ? email : undefined,
    emailVerified: isYes(source['email_verified']) || (!('email_verified' in source) && isYes(claims['xms_edov'])),
    name: typeof name === 'string' ? name : undefined,
    groups: groupsIn(claims, groupsClaim) ?? groupsIn(more, groupsClaim) ?? [],
    // RFC 8176.
    secondFactor: groupsIn(claims, 'amr')?.includes('mfa') ?? false,
  };
}

async function probe(dialect: Dialect, settings: Settings, callback: string): Promise<Probe> {
  const wrong = (detail: string): Probe => ({ ok: false, detail });
  let configuration: client.Configuration;
  try {
    configuration = await discover(dialect, settings);
  } catch (error) {
    return wrong(wordsOf(error));
  }
  const server = configuration.serverMetadata();
  const { authorization_endpoint, token_endpoint, jwks_uri, response_types_supported } = server;
  if (!authorization_endpoint || !token_endpoint) return wrong(providerTexts.noCode);
  if (response_types_supported && !response_types_supported.includes('code')) return wrong(providerTexts.noCode);
  if (!jwks_uri) return wrong(providerTexts.noKeys);
  if (!acceptedOf(server).length) return wrong(providerTexts.weakKeys);
  try {
    // No such code was ever given: who is known is told so, who is not is told that first.
    await client.genericGrantRequest(configuration, 'authorization_code', {
      code: 'culprit-test',
      redirect_uri: callback,
      code_verifier: client.randomPKCECodeVerifier(),
    });
  } catch (error) {
    if (outboundIn(error)) return wrong(wordsOf(error));
    const code = codeOf(error);
    if (code === 'invalid_client' || code === 'unauthorized_client') return wrong(providerTexts.client);
    if (isRedirectProblem(error)) return wrong(providerTexts.redirect(callback));
    if (code === 'invalid_grant') return { ok: true, detail: providerTexts.works };
  }
  return { ok: true, detail: providerTexts.worksUnproven };
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof client.ResponseBodyError
    ? error.error
    : error instanceof client.WWWAuthenticateChallengeError && error.status === 401
      ? 'invalid_client'
      : undefined;
