/** Switches of an organisation. */
import { z } from 'zod';
import { longestAddress, maxAllowedAddresses } from '../../domains/accounts/index.ts';
import { invalid } from '../../base/texts/validation.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams } from '../shared/schemas.ts';

const shareLinks = z.boolean().describe('Whether issues can be shared by link. While off, existing links do not open.');
const memberInvitations = z.boolean().describe('Whether members can invite people as members or viewers.');
const allowedAddresses = z
  .array(z.string().trim().max(longestAddress, invalid.atMost(longestAddress)))
  .max(maxAllowedAddresses, invalid.fewer(maxAllowedAddresses, 'entries'))
  .describe(
    'IP addresses and networks from which sessions, API tokens and live updates are accepted; empty: all. Events are accepted from everywhere.',
  );

const SecuritySettings = z
  .object({
    shareLinks,
    memberInvitations,
    allowedAddresses,
    yourAddress: z.string().describe('Address of the caller, as the server sees it.'),
  })
  .meta({ id: 'SecuritySettings' });

export const getSecuritySettings = endpoint({
  method: 'GET',
  url: '/organizations/:org/security/',
  id: 'getSecuritySettings',
  tag: 'Organisations',
  summary: 'Get share links, invitations and allowed addresses of an organisation',
  access: 'org:admin',
  params: orgParams,
  response: SecuritySettings,
});

export const updateSecuritySettings = endpoint({
  method: 'PUT',
  url: '/organizations/:org/security/',
  id: 'updateSecuritySettings',
  tag: 'Organisations',
  summary: 'Set share links, invitations and allowed addresses; omitted fields stay',
  description: 'Returns 409 ADDRESS_LOCKS_OUT unless the list includes the address of the caller.',
  access: 'org:admin',
  params: orgParams,
  body: z
    .object({
      shareLinks: shareLinks.optional(),
      memberInvitations: memberInvitations.optional(),
      allowedAddresses: allowedAddresses.optional(),
    })
    .meta({ id: 'SecuritySettingsUpdate' }),
  response: SecuritySettings,
});
