/** What roles and scopes allow, and why a sign-in, a member, an invitation or a token is refused. */

/** In Sentry's names. */
export const scopes = {
  'org:read': 'View the organisation',
  'org:write': 'Change the organisation',
  'org:admin': 'Administer and delete the organisation',
  'org:audit': 'Read the audit log',
  'org:ci': 'Upload releases and source maps from a build',
  'member:read': 'View members',
  'member:invite': 'Invite members',
  'member:write': 'Invite and change members',
  'member:admin': 'Administer and remove members',
  'project:read': 'View projects and their keys',
  'project:write': 'Create and change projects and their keys',
  'project:admin': 'Administer and delete projects',
  'project:releases': 'Create releases and upload source maps',
  'event:read': 'View issues and events',
  'event:write': 'Resolve, archive and change issues',
  'event:admin': 'Administer and delete issues',
} as const;

/** Rows of the table of roles. */
export const areas = {
  see: 'See projects, issues, events and members',
  triage: 'Resolve, assign and comment on issues',
  releases: 'Create releases and upload source maps',
  alerts: 'Create alert rules; administer channels',
  settings: 'Change projects, their keys and teams',
  members: 'Invite and change members, up to the own role',
  tokens: 'Create API tokens within own access; for builds and service accounts',
  privacy: 'Change what is scrubbed and stored',
  deletion: 'Delete issues, keys and projects',
  audit: 'Read the audit log',
} as const;

export const signIn = { json: 'send address and password as application/json' } as const;

/** After "This password is too easy to guess". */
export const commonPasswords = {
  shortNumber: 'it is a short number',
  repetition: 'it repeats itself',
  walk: 'it follows the keyboard or the alphabet',
  own: 'it is your email address or a well-known name',
  word: 'it contains a common word',
  leaked: 'it is among the most common passwords of data leaks',
} as const;

export const tokens = {
  scope: 'must be scopes such as event:read',
  noScope: 'must name at least one scope',
  role: 'must be the role of a service account, and of nothing else',
  past: 'the expiry must be in the future',
  beyondParent: (end: string) => `the expiry cannot be later than that of the creating token (${end})`,
  noExpiry: 'no expiry',
  expiry: (isOver: boolean, day: string) => `${isOver ? 'expired' : 'expires'} ${day}`,
} as const;

/** What an owner has not shown who requires it of members. */
export const demands = { secondFactor: 'a second factor' } as const;

export const emails = { own: 'is already your address' } as const;

/** "Only an owner can grant the role admin. Ask …" */
export const roles = {
  owner: 'an owner',
  admin: 'an admin or owner',
  give: (role: string) => `grant the role ${role}`,
  take: (role: string) => `change or remove ${role === 'manager' ? 'a' : 'an'} ${role}`,
  people: (named: readonly string[], more: number) => named.join(', ') + (more > 0 ? ` and ${more} more` : ''),
  scope: (role: string, missing: readonly string[]) =>
    role === 'owner' ? 'org:admin' : `org:admin, or all scopes of the role ${role}: ${missing.join(', ')}`,
} as const;

export const allowedAddresses = {
  noNetwork: (text: string) =>
    `field allowedAddresses: "${text}" is not an IP address or a network such as 203.0.113.0/24 or 2001:db8::/32`,
} as const;

export const invitations = {
  used: 'it was used, revoked or replaced by a newer one',
  expired: 'it expired after seven days',
  title: (inviter: string, organization: string) => `${inviter} invites you to ${organization} on Culprit`,
  text: (lastDay: string) => `You can join until ${lastDay}. The link is valid once and for you only.`,
} as const;
