/** What the pages ask where a person lets an app in. */
import { z } from 'zod';
import { scopes } from '../../domains/accounts/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';

const longText = z.string().max(2_000);

const request = {
  clientId: z.string().max(200),
  redirectUri: z.string().max(2_000),
  responseType: z.string().max(100).default(''),
  challenge: z.string().max(200).default('').describe('`code_challenge` of RFC 7636.'),
  challengeMethod: z.string().max(20).default(''),
  scope: longText.optional(),
  state: longText.optional(),
  resource: longText.optional(),
};

const granted = z.array(z.enum(scopes)).min(1).max(scopes.length).describe('What the person grants of it.');

const AskedScope = z.object({ name: z.enum(scopes), description: z.string() }).meta({ id: 'OAuthScope' });

const Authorization = z
  .object({
    client: z.object({
      name: z.string().describe('As the app calls itself, unchecked.'),
      returnsTo: z.string().describe('Where the person is sent back to: a host, or the scheme of an app.'),
      dateRegistered: dateTime().nullable(),
    }),
    scopes: z.array(AskedScope),
    refusedUrl: z.string().describe('Where to send the person who does not agree.'),
    invalid: z.boolean().describe('The request has a fault: `refusedUrl` tells the app which.'),
  })
  .meta({ id: 'OAuthAuthorization' });

export const getAuthorization = endpoint({
  method: 'GET',
  url: '/oauth/authorization/',
  id: 'getOAuthAuthorization',
  tag: 'OAuth',
  summary: 'Get what an app asks for',
  description: 'For the page that asks the person. Needs a session.',
  access: 'user',
  query: z.object(request),
  response: Authorization,
});

export const authorize = endpoint({
  method: 'POST',
  url: '/organizations/:org/oauth/authorizations/',
  id: 'authorizeOAuthClient',
  tag: 'OAuth',
  summary: 'Grant an app access to an organisation',
  description: 'Needs a session. The program exchanges the code in the returned URL for its token within a minute.',
  access: 'org:read',
  params: orgParams,
  body: z.object({ ...request, scopes: granted }).meta({ id: 'OAuthAuthorizationRequest' }),
  status: 201,
  response: z.object({ url: z.string().describe('Where to send the person.') }).meta({ id: 'OAuthAuthorized' }),
});

export const getDevice = endpoint({
  method: 'GET',
  url: '/oauth/devices/:code/',
  id: 'getOAuthDevice',
  tag: 'OAuth',
  summary: 'Get what the device that shows a code asks for',
  description: 'Needs a session.',
  access: 'user',
  params: z.object({ code: z.string().max(40) }),
  response: z
    .object({ name: z.string(), scopes: z.array(AskedScope), expiresAt: dateTime() })
    .meta({ id: 'OAuthDevice' }),
});

export const decideDevice = endpoint({
  method: 'POST',
  url: '/organizations/:org/oauth/devices/',
  id: 'decideOAuthDevice',
  tag: 'OAuth',
  summary: 'Grant or deny access to the device that shows a code',
  description: 'Needs a session.',
  access: 'org:read',
  params: orgParams,
  body: z
    .object({ code: z.string().max(40), accept: z.boolean(), scopes: granted.optional() })
    .meta({ id: 'OAuthDeviceDecision' }),
  status: 204,
});
