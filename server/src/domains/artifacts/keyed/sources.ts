/** Source files as a keyed file, each under its path from its end: what frames say of a file often begins elsewhere. */
import type { KeyedText } from './write.ts';
import type { KeyedFile } from './open.ts';

const longestPath = 2_000;

/** `/srv/app/cart/cart.go` is `cart.go/cart/app/srv/`. Undefined for what names no file. */
export function pathKey(path: string): string | undefined {
  if (path.length > longestPath) return undefined;
  const parts: string[] = [];
  for (const part of withoutScheme(path.replaceAll('\\', '/')).split('/')) {
    if (part === '' || part === '.' || part === '~') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts.length === 0 ? undefined : `${parts.toReversed().join('/')}/`;
}

const withoutScheme = (path: string): string => path.replace(/^(?:[a-z][a-z\d+.-]{1,30}:\/\/\/?|[a-z]:\/)/i, '');

export const inOrder = (texts: readonly KeyedText[]): KeyedText[] =>
  texts.toSorted((a, b) => Buffer.compare(a.key, b.key));

/**
 * The file of a path: the same; else the longest of which the path ends with; else the only one that ends with the path.
 * One that is known by its bare name alone is found where `bare` says so.
 */
export async function findSource(file: KeyedFile, path: string, bare: boolean): Promise<Buffer | undefined> {
  const key = pathKey(path);
  if (key === undefined) return undefined;
  const least = bare ? 1 : 2;
  const parts = key.split('/').slice(0, -1);
  for (let count = parts.length; count >= Math.min(least, parts.length); count -= 1) {
    const found = await file.get(Buffer.from(`${parts.slice(0, count).join('/')}/`));
    if (found) return found;
  }
  if (parts.length < least) return undefined;
  const wanted = Buffer.from(key);
  const { after } = await file.beside(wanted);
  if (!after || !startsWith(after, wanted)) return undefined;
  const { after: other } = await file.beside(after);
  return other && startsWith(other, wanted) ? undefined : file.get(after);
}

const startsWith = (key: Buffer, start: Buffer): boolean => key.subarray(0, start.length).equals(start);
