/** How long sessions of an organisation's members last, and what they must have shown. */
import { z } from 'zod';
import { SessionPolicy } from './contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams } from '../shared/schemas.ts';

export const getSessionPolicy = endpoint({
  method: 'GET',
  url: '/organizations/:org/session-policy/',
  id: 'getSessionPolicy',
  tag: 'Organisations',
  summary: 'Get how long sessions of members last',
  access: 'org:read',
  params: orgParams,
  response: SessionPolicy,
});

export const updateSessionPolicy = endpoint({
  method: 'PUT',
  url: '/organizations/:org/session-policy/',
  id: 'updateSessionPolicy',
  tag: 'Organisations',
  summary: 'Set how long sessions of members last',
  description: 'Holds for sessions that exist, too. For members of several organisations, the shortest limits hold.',
  access: 'org:admin',
  params: orgParams,
  body: SessionPolicy,
  response: SessionPolicy,
});

const SignInPolicy = z
  .object({
    requireSecondFactor: z.boolean().describe('Whether sessions of members need a second factor, or a passkey.'),
    providerId: z.string().nullable().describe('The provider that members must sign in with; null: any way.'),
    membersWithout: z.int().describe('Members who have neither an authenticator app nor a passkey.'),
  })
  .meta({ id: 'SignInPolicy' });

export const getSignInPolicy = endpoint({
  method: 'GET',
  url: '/organizations/:org/sign-in-policy/',
  id: 'getSignInPolicy',
  tag: 'Organisations',
  summary: 'Get what sessions of members must have shown',
  access: 'org:read',
  params: orgParams,
  response: SignInPolicy,
});

export const updateSignInPolicy = endpoint({
  method: 'PUT',
  url: '/organizations/:org/sign-in-policy/',
  id: 'updateSignInPolicy',
  tag: 'Organisations',
  summary: 'Require a second factor of members',
  description:
    'Holds for open sessions, too. Tokens and service accounts are not affected. Requires a session that has shown a second factor itself; other sessions get 409 DEMAND_NOT_MET, API tokens 403 SESSION_REQUIRED.',
  access: 'org:admin',
  params: orgParams,
  body: z.object({ requireSecondFactor: z.boolean() }).meta({ id: 'SignInPolicyUpdate' }),
  response: SignInPolicy,
});
