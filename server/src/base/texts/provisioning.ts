/** What a directory is told that provisions people and groups by SCIM. */
import { number } from './intl.ts';

export const scim = {
  tooLong: (max: number) => `The filter has more than ${max} characters.`,
  tooDeep: (max: number) => `The filter is nested more than ${max} levels deep.`,
  tooMany: (max: number) => `The filter has more than ${max} conditions.`,
  filter: (at: number) => `The filter is not valid at character ${at}.`,
  path: (path: string) => `The path "${path}" is not valid.`,
  noTarget: (path: string) => `Nothing matches the path "${path}".`,
  operations: 'Operations must be a list of add, replace and remove.',
  tooManyOperations: (max: number) => `A request can have at most ${max} operations.`,
  removeAll: 'remove needs a path.',
  object: 'Without a path, value must be an object.',
  value: (name: string, wanted: string) => `${name} must be ${wanted}.`,
  text: (max: number) => `a text of 1 to ${max} characters`,
  yesOrNo: 'true or false',
  list: (max: number) => `a list of at most ${max} entries`,
  address: 'an email address',
  noAddress: 'emails must have an email address, or userName must be one.',
  body: 'The body must be a JSON object.',
  notFound: (id: string) => `${id} not found.`,
  userExists: (userName: string) => `A user with the userName ${userName} already exists.`,
  externalIdExists: (id: string) => `The externalId ${id} is already in use.`,
  groupExists: (name: string) => `A group with the displayName ${name} already exists.`,
  provisioned: (email: string) => `The account ${email} is already provisioned under another userName.`,
  elsewhere: (email: string) =>
    `The account ${email} exists but is not a member of this organisation. Invite it, or verify the domain of its address in Settings, Sign-in.`,
  unknownMember: (id: string) => `The member ${id} is not a user of this directory.`,
  full: (max: number, what: 'users' | 'groups') => `A directory can have at most ${max} ${what}.`,
  token: 'Send a SCIM token of the organisation as "Authorization: Bearer …".',
  tokenExpired: 'This SCIM token expired. Create a new one in Settings, Security.',
  rate: (seconds: number) => `Too many requests. Try again in ${seconds} seconds.`,
  unsupported: 'This is not supported.',
  contentType: 'Send application/scim+json or application/json.',
  tooLarge: (max: number) => `The body has more than ${max} bytes.`,
} as const;

/** Some by name, and how many more there are. */
export const some = (names: readonly string[], total: number): string =>
  total > names.length ? `${names.join(', ')} and ${number(total - names.length)} more` : names.join(', ');
