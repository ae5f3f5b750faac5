/** Who the names of rules are: members by address, teams by slug, and names of CODEOWNERS by what they look like. */
import type { People } from '../teams/index.ts';

export type Owner =
  | { readonly kind: 'user'; readonly id: string; readonly name: string; readonly email: string }
  | { readonly kind: 'team'; readonly id: number; readonly name: string; readonly slug: string };

/** `user:ID` or `team:ID`. */
export const ownerKey = (owner: Owner): string => `${owner.kind}:${owner.id}`;

export interface Owners {
  /** Of an address or `#team`. */
  named(name: string): Owner | undefined;
  /** Of a name of a CODEOWNERS file; `names` says who those are that do not say it themselves. */
  ofCodeowners(name: string, names: ReadonlyMap<string, string>): Owner | undefined;
}

export function ownersAmong({ members, teams }: People): Owners {
  const users = members.map(({ userId, name, email, handle }) => ({
    handle,
    plainName: plain(name),
    owner: { kind: 'user' as const, id: userId, name, email },
  }));
  const teamOwners = teams.map(({ id, slug, name }) => ({ kind: 'team' as const, id, slug, name }));
  const byKey = new Map<string, Owner>(
    [...users.map(({ owner }) => owner), ...teamOwners].map((one) => [ownerKey(one), one]),
  );
  const byEmail = new Map(users.map(({ owner }) => [owner.email.toLowerCase(), owner]));
  const bySlug = new Map(teamOwners.map((team) => [team.slug, team]));
  const byHandle = new Map(users.map(({ handle, owner }) => [plain(handle), owner]));
  // Two people of one name are nobody.
  const byName = new Map(
    [...Map.groupBy(users, ({ plainName }) => plainName)].flatMap(([name, [one, other]]) =>
      one && !other && name ? [[name, one.owner] as const] : [],
    ),
  );
  const named = (name: string): Owner | undefined =>
    name.startsWith('#') ? bySlug.get(name.slice(1).toLowerCase()) : byEmail.get(name.toLowerCase());
  return {
    named,
    ofCodeowners(name, names) {
      const said = names.get(name);
      if (said !== undefined) return byKey.get(said);
      if (!name.startsWith('@')) return named(name);
      const path = name.replace(/^@+/, '').toLowerCase();
      const last = path.slice(path.lastIndexOf('/') + 1);
      // A group of GitLab may be written like a person, a team of GitHub never is.
      if (path.includes('/')) return bySlug.get(last);
      return byHandle.get(plain(last)) ?? byName.get(plain(last)) ?? bySlug.get(last);
    },
  };
}

/** Letters and digits alone: `Jane Doe`, `jane.doe` and `jane-doe` are the same. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
