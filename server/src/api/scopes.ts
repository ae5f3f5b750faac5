/** What a token or a role allows, in Sentry's words. */
export const scopes = [
  'org:read',
  'org:write',
  'org:admin',
  'org:ci',
  'member:read',
  'member:write',
  'member:admin',
  'project:read',
  'project:write',
  'project:admin',
  'project:releases',
  'event:read',
  'event:write',
  'event:admin',
] as const;

export type Scope = (typeof scopes)[number];
