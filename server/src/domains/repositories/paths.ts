/** Paths of stack frames against paths of files in a repository. */

/** What a frame says of its file. */
export interface FramePath {
  readonly filename?: string | null | undefined;
  readonly absPath?: string | null | undefined;
  /** Of Java, the class: its package is the folder of the file. */
  readonly module?: string | null | undefined;
}

const longest = 2_000;

/** The spellings of a frame's path that a stack root may be written for: as the frame has it, and plain. What names a folder goes first. */
export function spellingsOf(frame: FramePath): string[] {
  const paths = [packagePath(frame), frame.filename, frame.absPath]
    .filter((path): path is string => Boolean(path) && (path ?? '').length <= longest)
    .toSorted((a, b) => Number(hasFolder(b)) - Number(hasFolder(a)));
  return [...new Set([...paths, ...paths.map(plainPath)])].filter((path) => path !== '');
}

const hasFolder = (path: string): boolean => /[\\/]/.test(path);
const jvmFile = /^[^\\/]{1,200}\.(?:java|kt|kts|scala|groovy|clj)$/;

/** `com.example.Cart$Row` in `Cart.java` is in `com/example/Cart.java`; '' for other languages. */
function packagePath({ filename, module }: FramePath): string {
  const dot = module?.lastIndexOf('.') ?? -1;
  if (!filename || !module || dot < 0 || !jvmFile.test(filename)) return '';
  return `${module.slice(0, dot).replaceAll('.', '/')}/${filename}`;
}

/** The plain path that says most of where the frame's file lies; '' for what names no file. */
export const plainPathOf = (frame: FramePath): string => spellingsOf(frame).map(plainPath).find(Boolean) ?? '';

/**
 * The path without what bundlers and runtimes put before it: `webpack-internal:///(rsc)/./app/page.tsx`,
 * `http://host/src/a.ts?t=1` and `../../src/a.ts` are `app/page.tsx` and `src/a.ts`. '' for what names no file.
 */
export function plainPath(path: string): string {
  const slashed = path.slice(0, longest).replaceAll('\\', '/');
  const start = /^[a-z][a-z\d+.-]*:\/\//i.exec(slashed);
  // `app:///src/a.ts` has no host; `node:fs` and `<anonymous>` are no files.
  const rest = start ? slashed.slice(start[0].length).replace(/^[^/]*\//, '') : slashed;
  if (!start && /^(?:[a-z][a-z\d+.-]+:|<)/i.test(rest)) return '';
  const [bare = ''] = rest.split(/[?#]/, 1);
  const parts: string[] = [];
  for (const part of bare.replace(/^[a-z]:\//i, '').split('/')) {
    if (part === '' || part === '.') continue;
    // A layer of the bundler, such as (rsc).
    if (start && !parts.length && /^\([\w-]+\)$/.test(part)) continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** How many parts the ends of two paths have in common. */
export function commonEnd(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')];
  let count = 0;
  while (count < Math.min(one.length, other.length) && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

export interface FileMatch<T> {
  readonly file: T;
  readonly how: 'suffix' | 'name';
}

/**
 * The file that a path means: the one whose end is like the path's for longest, at least two parts; else the only one
 * of that name, where nothing but the name is known of one of the two. Undefined where two files are as like.
 */
export function matchFile<T extends { readonly path: string }>(
  path: string,
  files: readonly T[],
): FileMatch<T> | undefined {
  const plain = plainPath(path);
  if (plain === '') return undefined;
  let most = 0;
  let best: T[] = [];
  for (const file of files) {
    const common = commonEnd(plain, file.path);
    if (common === 0 || common < most) continue;
    if (common > most) best = [];
    most = common;
    best.push(file);
  }
  const [file] = best;
  if (!file || best.some((one) => one.path !== file.path)) return undefined;
  if (most >= 2) return { file, how: 'suffix' };
  return !plain.includes('/') || !file.path.includes('/') ? { file, how: 'name' } : undefined;
}
