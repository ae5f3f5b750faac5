/** Whom a comment names: `@handle` and `#team`, outside of code. */
import type { People } from '../../teams/index.ts';

export interface Mention {
  readonly type: 'user' | 'team';
  readonly id: string;
  readonly name: string;
  /** Without the sign before it. */
  readonly handle: string;
}

const mention = /(?<![\w@#/.-])([@#])([a-z0-9][a-z0-9._-]{0,63})/gi;
const most = 50;

/** Each once, in the order of the text. `named` are more, as `user:ID` and `team:ID`. */
export function mentionsOf(text: string, people: People, named: readonly string[] = []): Mention[] {
  const users = new Map(people.members.map((one) => [one.handle, one]));
  const teams = new Map(people.teams.map((one) => [one.slug, one]));
  const found = new Map<string, Mention>();
  const add = (one: Mention | undefined): void => {
    if (one && found.size < most) found.set(`${one.type}:${one.id}`, one);
  };
  const user = (one: People['members'][number] | undefined): Mention | undefined =>
    one && { type: 'user', id: one.userId, name: one.name, handle: one.handle };
  const team = (one: People['teams'][number] | undefined): Mention | undefined =>
    one && { type: 'team', id: String(one.id), name: one.name, handle: one.slug };
  const words = withoutCode(text);
  for (const { 0: whole, 1: sign, 2: written = '', index } of words.matchAll(mention)) {
    // `@scope/package`
    if (words[index + whole.length] === '/') continue;
    // What ends a sentence is no part of a name, unless somebody is called so.
    for (const handle of [written, written.replace(/[._-]+$/, '')].map((one) => one.toLowerCase())) {
      const one = sign === '@' ? user(users.get(handle)) : team(teams.get(handle));
      add(one);
      if (one) break;
    }
  }
  for (const key of named) {
    const [kind, id = ''] = key.split(':', 2);
    if (kind === 'user') add(user(people.members.find(({ userId }) => userId === id)));
    else if (kind === 'team') add(team(people.teams.find((one) => String(one.id) === id)));
  }
  return [...found.values()];
}

/** Ids of users: those named, and the members of teams that are. */
export function usersOf(mentions: readonly Mention[], { teams }: Pick<People, 'teams'>): string[] {
  const ids = mentions.flatMap(({ type, id }) =>
    type === 'user' ? [id] : (teams.find((team) => String(team.id) === id)?.members ?? []),
  );
  return [...new Set(ids)];
}

/** The text with code blanked out: fences, and what stands between backticks of one line. */
export function withoutCode(text: string): string {
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (fence) {
        if (mark.startsWith(fence)) fence = '';
        return '';
      }
      if (mark) {
        fence = mark;
        return '';
      }
      return withoutSpans(line);
    })
    .join('\n');
}

function withoutSpans(line: string): string {
  const parts = line.split('`');
  // Without a closing one the last backtick is a character.
  return parts.filter((_, index) => index % 2 === 0 || index === parts.length - 1).join(' ');
}
