/** What an API token may be allowed to do: Sentry's names, so that tokens mean the same to its clients. */
export const scopeWords = {
  'org:read': 'See the organisation',
  'org:write': 'Change the organisation',
  'org:admin': 'Administer the organisation, and delete it',
  'member:read': 'See members',
  'member:write': 'Invite and change members',
  'member:admin': 'Administer members, and remove them',
  'team:read': 'See teams',
  'team:write': 'Create and change teams',
  'team:admin': 'Administer teams, and delete them',
  'project:read': 'See projects and their keys',
  'project:write': 'Create and change projects and their keys',
  'project:admin': 'Administer projects, and delete them',
  'project:releases': 'Create releases and upload source maps',
  'event:read': 'See issues and events',
  'event:write': 'Resolve, archive and change issues',
  'event:admin': 'Administer issues, and delete them',
  'alerts:read': 'See alerts',
  'alerts:write': 'Create and change alerts',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopeWords;

export const scopes = Object.keys(scopeWords) as [Scope, ...Scope[]];

// `admin` includes `write`, `write` includes `read`, as Sentry's clients take for granted.
const weaker: Readonly<Record<string, readonly string[]>> = { admin: ['write', 'read'], write: ['read'] };

/** The given scopes and those that they include. Names that are no scopes are left out. */
export function expandScopes(given: readonly string[]): Set<Scope> {
  const all = new Set<string>();
  for (const scope of given) {
    const [area = '', level = ''] = scope.split(':');
    all.add(scope);
    if (Object.hasOwn(weaker, level)) for (const included of weaker[level] ?? []) all.add(`${area}:${included}`);
  }
  return new Set(scopes.filter((scope) => all.has(scope)));
}
