/** GitHub, and GitHub Enterprise Server: OAuth without OpenID Connect, so who somebody is comes from its API. */
import * as client from 'openid-client';
import { z } from 'zod';
import { providerTexts } from '../../base/texts/providers.ts';
import type { Settings } from './kinds.ts';
import { isRedirectProblem, outboundIn, refusedBy, saidWithSuccess, wordsOf } from './openid-errors.ts';
import { fetchOutside } from './outside.ts';
import type { Protocol } from './protocol.ts';
import type { Provider } from './provider.ts';
import { SignInRefused } from './refused.ts';

const user = z.object({ id: z.int().positive(), login: z.string(), name: z.string().nullish() });
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const membership = z.object({ state: z.string() });
const teams = z.array(z.object({ slug: z.string(), organization: z.object({ login: z.string() }) }));

const pageSize = 100;
const maxPages = 5;

function configurationOf({ url = '', clientId = '', clientSecret = '' }: Settings): client.Configuration {
  const base = `${url}/login/oauth`;
  const server = { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/access_token` };
  const configuration = new client.Configuration(server, clientId, {}, client.ClientSecretPost(clientSecret));
  configuration[client.customFetch] = async (address, { method, headers, body }) =>
    fetchOutside(address, { method, headers, ...(body !== undefined && body !== null && { body: String(body) }) });
  if (url.startsWith('http://')) client.allowInsecureRequests(configuration);
  return configuration;
}

/** Of the cloud it has a name of its own. */
const apiOf = ({ url = '' }: Settings): string =>
  url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;

/** Whether anything depends on organisations and teams. */
const needsTeams = ({ settings, mapping }: Pick<Provider, 'settings' | 'mapping'>): boolean =>
  settings['organization'] !== undefined || mapping.length > 0;

export const github: Protocol = {
  async begin(provider, { callback, state }) {
    try {
      const kept = { verifier: client.randomPKCECodeVerifier() };
      const url = client.buildAuthorizationUrl(configurationOf(provider.settings), {
        redirect_uri: callback,
        scope: ['read:user', 'user:email', ...(needsTeams(provider) ? ['read:org'] : [])].join(' '),
        state,
        code_challenge: await client.calculatePKCECodeChallenge(kept.verifier),
        code_challenge_method: 'S256',
      });
      return { url, kept };
    } catch (error) {
      throw refusedBy(error);
    }
  },
  async finish(provider, { url, state, kept }) {
    const { settings } = provider;
    try {
      const { access_token: token } = await client.authorizationCodeGrant(configurationOf(settings), url, {
        expectedState: state,
        pkceCodeVerifier: kept['verifier'] ?? '',
      });
      const ask = asker(apiOf(settings), token);
      const who = await ask('/user', user);
      const all = await ask(`/user/emails?per_page=${pageSize}`, emails);
      await checkOrganization(settings, ask);
      const domains = new Set(provider.domains.map(({ domain }) => domain));
      const verified = all.filter((one) => one.verified);
      const ownDomain = verified.find(({ email }) =>
        domains.has(email.slice(email.lastIndexOf('@') + 1).toLowerCase()),
      );
      const chosen = ownDomain ?? all.find(({ primary }) => primary);
      return {
        subject: String(who.id),
        email: chosen?.email,
        emailVerified: chosen?.verified ?? false,
        name: who.name ?? who.login,
        groups: provider.mapping.length > 0 ? await groupsOf(ask) : [],
        secondFactor: false,
      };
    } catch (error) {
      throw refusedBy(error);
    }
  },
  async probe({ settings }, callback) {
    try {
      await client.genericGrantRequest(configurationOf(settings), 'authorization_code', {
        code: 'culprit-test',
        redirect_uri: callback,
      });
    } catch (error) {
      if (outboundIn(error)) return { ok: false, detail: wordsOf(error) };
      const code = saidWithSuccess(error) ?? (error instanceof client.ResponseBodyError ? error.error : '');
      if (code === 'incorrect_client_credentials' || code === 'Not Found')
        return { ok: false, detail: providerTexts.client };
      if (code === 'redirect_uri_mismatch' || isRedirectProblem(error)) {
        return { ok: false, detail: providerTexts.redirect(callback) };
      }
      if (code === 'bad_verification_code') return { ok: true, detail: providerTexts.works };
    }
    return { ok: true, detail: providerTexts.worksUnproven };
  },
};

type Ask = <T>(path: string, schema: z.ZodType<T>) => Promise<T>;

const asker =
  (api: string, token: string): Ask =>
  async (path, schema) => {
    const answer = await fetchOutside(`${api}${path}`, {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'x-github-api-version': '2022-11-28',
      },
    });
    if (!answer.ok)
      throw new SignInRefused('failed', providerTexts.failed(`${path.split('?', 1)[0]} ${answer.status}`));
    const parsed = schema.safeParse(await answer.json().catch(() => undefined));
    if (!parsed.success) throw new SignInRefused('failed', providerTexts.failed(`${path.split('?', 1)[0]}`));
    return parsed.data;
  };

async function checkOrganization({ organization }: Settings, ask: Ask): Promise<void> {
  if (organization === undefined) return;
  const found = await ask(`/user/memberships/orgs/${encodeURIComponent(organization)}`, membership).catch(
    (error: unknown) => {
      // Who is not in it is told that it is not there.
      if (error instanceof SignInRefused) return undefined;
      throw error;
    },
  );
  if (found?.state !== 'active') throw new SignInRefused('group_missing');
}

/** Organisations by their name, teams as `organisation/team`. */
async function groupsOf(ask: Ask): Promise<string[]> {
  const groups = new Set<string>();
  for (let page = 1; page <= maxPages; page++) {
    const some = await ask(`/user/teams?per_page=${pageSize}&page=${page}`, teams);
    for (const { slug, organization } of some) groups.add(organization.login).add(`${organization.login}/${slug}`);
    if (some.length < pageSize) break;
  }
  return [...groups];
}
