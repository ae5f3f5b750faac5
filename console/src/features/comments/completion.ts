/** Names offered while somebody writes `@` or `#`. Pure. */

export interface Named {
  readonly kind: 'user' | 'team';
  /** Written after the sign. */
  readonly handle: string;
  readonly name: string;
}

export interface Asked {
  /** Where the sign stands. */
  readonly start: number;
  readonly kind: Named['kind'];
  /** What was written behind it, in small letters. */
  readonly text: string;
}

const most = 8;
const longest = 65;

/** What is being written at the caret; undefined where it is no name. */
export function askedAt(text: string, caret: number): Asked | undefined {
  const before = text.slice(Math.max(0, caret - longest), caret);
  const found = /(?:^|[^\w@#/.-])([@#])([\w.-]*)$/.exec(before);
  const [, sign, written = ''] = found ?? [];
  if (sign === undefined) return undefined;
  return { start: caret - written.length - 1, kind: sign === '@' ? 'user' : 'team', text: written.toLowerCase() };
}

/** Those whose handle begins so first, then those with a word of their name that does. */
export function offered(people: readonly Named[], { kind, text }: Asked): Named[] {
  const rank = ({ handle, name }: Named): number => {
    if (handle.startsWith(text)) return 0;
    return name
      .toLowerCase()
      .split(/\s+/)
      .some((word) => word.startsWith(text))
      ? 1
      : 2;
  };
  return people
    .filter((one) => one.kind === kind)
    .map((one) => ({ one, rank: rank(one) }))
    .filter((each) => each.rank < 2)
    .toSorted((a, b) => a.rank - b.rank || (a.one.handle < b.one.handle ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one);
}

/** The text with the name in place of what was written, and where the caret goes. */
export function complete(text: string, caret: number, asked: Asked, chosen: Named): { text: string; caret: number } {
  const put = `${chosen.kind === 'user' ? '@' : '#'}${chosen.handle}`;
  const rest = text.slice(caret);
  const space = /^\s/.test(rest) ? '' : ' ';
  return { text: text.slice(0, asked.start) + put + space + rest, caret: asked.start + put.length + 1 };
}
