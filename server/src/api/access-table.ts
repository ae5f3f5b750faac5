/** Which role may call what, and by which scope a token may: made from the endpoints and the table of roles alone. */
import { type Area, areas, type Role, roles, roleTable, type Scope, scopesOfRole } from '../domains/accounts/index.ts';
import { endpoints } from './endpoints.ts';
import type { Endpoint } from './shared/endpoint.ts';

const unscoped = ['public', 'user'];

/** One of these is needed; none for who needs no more than to be somebody, or not even that. */
export const scopesOf = (access: Endpoint['access']): readonly Scope[] =>
  [access].flat().filter((one): one is Scope => !unscoped.includes(one as string));

export const tokenScopesOf = ({ access, tokenAccess }: Pick<Endpoint, 'access' | 'tokenAccess'>): readonly Scope[] =>
  tokenAccess ? [tokenAccess] : scopesOf(access);

export const isAllowed = (wanted: readonly Scope[], held: readonly Scope[]): boolean =>
  wanted.length === 0 || wanted.some((scope) => held.includes(scope));

export const mayCall = ({ access }: Pick<Endpoint, 'access'>, role: Role): boolean =>
  isAllowed(scopesOf(access), scopesOfRole(role));

const addressOf = ({ method, url }: Endpoint): string => `${url} ${method}`;

/** By tag and address. */
export const sortedEndpoints = (): Endpoint[] =>
  endpoints.toSorted((a, b) => (`${a.tag} ${addressOf(a)}` < `${b.tag} ${addressOf(b)}` ? -1 : 1));

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
const rule = (columns: number): string => row(...Array.from({ length: columns }, () => '---'));
const code = (names: readonly string[], between = ' or '): string => names.map((name) => `\`${name}\``).join(between);

function rolesInAreas(): string {
  const cell = (role: Role, area: Area): string => code(roleTable[role][area], ' ') || '–';
  return (
    row('', ...roles) +
    rule(roles.length + 1) +
    Object.entries(areas)
      .map(([area, words]) => row(words, ...roles.map((role) => cell(role, area as Area))))
      .join('')
  );
}

function needed(endpoint: Endpoint): string {
  const { access, tokenAccess } = endpoint;
  if (access === 'public') return 'nothing';
  if (access === 'user') return 'a session or token';
  const all = code(scopesOf(access));
  return tokenAccess ? `${all}; a token: \`${tokenAccess}\`` : all;
}

function calls(all: readonly Endpoint[]): string {
  return (
    row('Call', 'Needs', ...roles) +
    rule(roles.length + 2) +
    all
      .map((endpoint) =>
        row(
          `\`${endpoint.method} ${endpoint.url}\`<br>${endpoint.summary}`,
          needed(endpoint),
          ...roles.map((role) => (mayCall(endpoint, role) ? '✓' : '–')),
        ),
      )
      .join('')
  );
}

/** `docs/access.md`. */
export function accessDocument(): string {
  const all = sortedEndpoints();
  const byTag = [...Map.groupBy(all, ({ tag }) => tag)];
  const counts = roles.map((role) => `${role} ${all.filter((one) => mayCall(one, role)).length}`).join(', ');
  return [
    '# Access',
    'Made by `npm run lists` from the endpoints of the API and `server/src/domains/accounts/roles.ts`.',
    'Every member of an organisation has one role. A token can have any scope of the role of its creator. A service account ' +
      'has a role of its own and belongs to the organisation.',
    'Owners and admins see all projects. The organisation chooses whether other members do, or see only the projects of ' +
      'their teams. The API returns 404 for hidden projects. Lists, searches, counts, live updates, exports and mail leave ' +
      'them out. Tokens see what their creator sees.',
    '## Roles',
    rolesInAreas().trimEnd(),
    'If the organisation allows invitations by members, a member has `member:invite`, too.',
    'With access by team, a manager can change the projects, alert rules and members of their own teams only.',
    '## Calls',
    `${all.length} calls. By role: ${counts}.`,
    'Some calls check more, such as the author of a comment. Their descriptions list it.',
    ...byTag.flatMap(([tag, own]) => [`### ${tag}`, calls(own).trimEnd()]),
  ]
    .join('\n\n')
    .concat('\n');
}
