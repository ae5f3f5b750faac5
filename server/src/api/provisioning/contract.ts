/** Tokens by which a directory provisions an organisation (SCIM). */
import { z } from 'zod';
import { invalid } from '../../base/texts/validation.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';

const ScimToken = z
  .object({
    id: z.string(),
    name: z.string(),
    tokenLastCharacters: z.string(),
    dateCreated: dateTime(),
    dateLastUsed: dateTime().nullable(),
    expiresAt: dateTime('null: no expiry.').nullable(),
    createdBy: z.string().describe('Name; empty if the account was deleted.'),
  })
  .meta({ id: 'ScimToken' });

export const getProvisioning = endpoint({
  method: 'GET',
  url: '/organizations/:org/provisioning/',
  id: 'getProvisioning',
  tag: 'Organisations',
  summary: 'Get the SCIM address and tokens of an organisation',
  access: 'org:admin',
  params: orgParams,
  response: z
    .object({
      baseUrl: z.string().describe('Address for the directory.'),
      users: z.int().describe('Users that the directory provisioned.'),
      groups: z.int().describe('Groups that the directory provisioned.'),
      tokens: z.array(ScimToken).describe('Newest first.'),
    })
    .meta({ id: 'Provisioning' }),
});

export const createScimToken = endpoint({
  method: 'POST',
  url: '/organizations/:org/scim-tokens/',
  id: 'createScimToken',
  tag: 'Organisations',
  summary: 'Create a SCIM token',
  description: 'Only this response contains the token. It works for `/scim/v2/` and nothing else.',
  access: 'org:admin',
  params: orgParams,
  body: z
    .object({
      name: z.string().trim().min(1, invalid.empty).max(100, invalid.atMost(100)),
      expiresAt: z.iso
        .datetime({ offset: true, error: invalid.expiry })
        .nullable()
        .optional()
        .describe('Default: a year from now; null: never.'),
    })
    .meta({ id: 'ScimTokenRequest' }),
  status: 201,
  response: ScimToken.extend({ token: z.string() }).meta({ id: 'ScimTokenCreated' }),
});

export const deleteScimToken = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/scim-tokens/:id/',
  id: 'deleteScimToken',
  tag: 'Organisations',
  summary: 'Delete a SCIM token',
  access: 'org:admin',
  params: orgParams.extend({ id: z.string().max(20) }),
  status: 204,
});
