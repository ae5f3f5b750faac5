/** What is written after @ to name somebody: the part before the @ of their address, longer where two have the same. */

export interface Addressed {
  readonly userId: string;
  readonly email: string;
}

const longest = 64;

/** Letters, digits, dots, hyphens and underscores, not ending in a sign that ends sentences. */
function plain(text: string): string {
  const kept = text.toLowerCase().replace(/[^a-z0-9._-]+/g, '-');
  let start = 0;
  let end = Math.min(kept.length, longest);
  while (start < end && isSign(kept[start])) start++;
  while (end > start && isSign(kept[end - 1])) end--;
  return kept.slice(start, end);
}

const isSign = (char: string | undefined): boolean => char === '.' || char === '-' || char === '_';

function partsOf(email: string): { name: string; host: string } {
  const at = email.lastIndexOf('@');
  const [host = ''] = (at < 0 ? '' : email.slice(at + 1)).split('.', 1);
  return { name: plain(at < 0 ? email : email.slice(0, at)) || 'member', host: plain(host) };
}

/** By user id. The same people get the same handles, in whatever order they come. */
export function handlesOf(people: readonly Addressed[]): ReadonlyMap<string, string> {
  const short = Map.groupBy(people, ({ email }) => partsOf(email).name);
  const handles = new Map<string, string>();
  const taken = new Set<string>();
  const give = (userId: string, wanted: string): void => {
    let handle = wanted;
    for (let number = 2; taken.has(handle); number++) handle = `${wanted}-${number}`;
    taken.add(handle);
    handles.set(userId, handle);
  };
  // Those whose short name is theirs alone take it before longer ones are made.
  const groups = [...short].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, [one, other]] of groups) if (one && !other) give(one.userId, name);
  for (const [name, same] of groups) {
    if (same.length === 1) continue;
    for (const { userId, email } of same.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))) {
      const { host } = partsOf(email);
      give(userId, host ? `${name}-${host}` : name);
    }
  }
  return handles;
}
