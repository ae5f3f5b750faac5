/** How long sessions of an organisation's members last. */
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
