/** Ids in paths and names: what differs from call to call becomes `*`. Every test is linear in the part's length. */

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const hex = /^[\da-f]+$/;
const longestPart = 512;

/** An id within a URL: a number, a UUID, at least ten hex digits two of which are 0–9; `12-shoes` begins with one. */
export function withoutId(part: string): string {
  if (part === '' || part.length > longestPart) return part;
  if (/^\d+$/.test(part)) return '*';
  if (part.length === 36 && uuid.test(part)) return '*';
  if (part.length >= 10 && hex.test(part) && /\d[a-f]*\d/.test(part)) return '*';
  const numbered = /^\d+(-.*)$/.exec(part)?.[1];
  return numbered === undefined ? part : `*${numbered}`;
}

export function pathWithoutIds(path: string): string {
  return path.split('/').map(withoutId).join('/');
}

/** Query values become `*` and keys are sorted; an address that is no URL is taken as a path. */
export function urlWithoutIds(url: string): string {
  const withoutFragment = url.split('#', 1)[0] ?? '';
  const mark = withoutFragment.indexOf('?');
  const before = mark < 0 ? withoutFragment : withoutFragment.slice(0, mark);
  const { origin, path } = splitOrigin(before);
  const base = `${origin}${pathWithoutIds(path)}`;
  if (mark < 0) return base;
  const keys = withoutFragment
    .slice(mark + 1)
    .split('&', 200)
    .map((pair) => pair.split('=', 1)[0] ?? '')
    .filter(Boolean);
  return keys.length === 0
    ? base
    : `${base}?${[...new Set(keys)]
        .sort()
        .map((key) => `${key}=*`)
        .join('&')}`;
}

/** `https://shop.example.com:8080/cart` as the part before the path and the path. */
export function splitOrigin(url: string): { origin: string; path: string } {
  const scheme = /^[a-z][a-z\d+.-]{0,30}:\/\//i.exec(url)?.[0];
  if (scheme === undefined) return { origin: '', path: url };
  const slash = url.indexOf('/', scheme.length);
  return slash < 0 ? { origin: url, path: '' } : { origin: url.slice(0, slash), path: url.slice(slash) };
}

const idInName = /\d{2}|^0x[\da-f]+$/i;
const hash = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/i;

/** The name of a transaction that is a bare URL, with its ids taken out: parts with two digits in a row are ids. */
export function transactionWithoutIds(name: string): string {
  return name
    .split('/')
    .map((part, index) => {
      // `GET ` before the first slash is no part of the path.
      if (index === 0 && part.endsWith(' ')) return part;
      const isId = part.length <= longestPart && (idInName.test(part) || uuid.test(part) || hash.test(part));
      return isId ? '*' : part;
    })
    .join('/');
}
