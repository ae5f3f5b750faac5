/** Fields of what came from outside: of any shape, so that nothing of it is believed. */
import { parseTimeInput } from '../../releases/index.ts';

export type Json = Readonly<Record<string, unknown>>;

const longest = 2_000;
const longestName = 200;
/** As releases keep them: what is kept for the next one takes no more. */
const longestMessage = 10_000;
const longestPath = 1_000;

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

const objectsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

/** '' for what is no text. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? storable(value).trim() : '';
};

/** PostgreSQL stores no NUL. */
const storable = (text: string): string => text.replaceAll('\0', '');

export const shortText = (value: unknown): string => textOf(value).slice(0, longest);

export const messageOf = (value: unknown): string => textOf(value).slice(0, longestMessage);

/** Of a repository, a site, a branch or a tag. */
export const nameOf = (value: unknown): string => textOf(value).slice(0, longestName);

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string').map(storable) : [];

/** A full SHA, of 40 or 64 digits. */
export const shaOf = (value: unknown): string => {
  const sha = textOf(value).toLowerCase();
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha) && !/^0+$/.test(sha) ? sha : '';
};

/** An address to link to; '' for anything else. */
export const linkOf = (value: unknown): string => {
  const url = shortText(value);
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : '';
};

/** ms since the epoch; GitLab writes `2021-04-28 21:50:00 +0200` and `2016-01-01 00:00:00 UTC` as well. */
export function timeOf(value: unknown): number | null {
  const text = textOf(value)
    .replace(/ UTC$/, 'Z')
    .replace(/ (?=[+-]\d)/, '');
  if (text === '') return null;
  try {
    return parseTimeInput('time', text);
  } catch {
    return null;
  }
}

/** Of `refs/heads/main` and `refs/tags/v1`. */
export function refOf(ref: string): { readonly branch: string; readonly tag: string } {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? [];
  return { branch: kind === 'heads' ? name : '', tag: kind === 'tags' ? name : '' };
}

/** GitHub and GitLab tell of commits alike, oldest first. */
export function commitsOf(value: unknown, repository: string, now: number) {
  return objectsOf(value)
    .slice(-2_048)
    .flatMap((one) => {
      const id = shaOf(one['id']);
      const author = objectOf(one['author']);
      const files = (list: unknown, type: string) =>
        textsOf(list)
          .filter((path) => path.length <= longestPath)
          .map((path) => ({ path, type }));
      if (id === '') return [];
      return [
        {
          id,
          repository,
          message: messageOf(one['message']),
          authorName: shortText(author['name']),
          authorEmail: shortText(author['email']),
          committedAt: timeOf(one['timestamp']) ?? now,
          files: [...files(one['added'], 'A'), ...files(one['modified'], 'M'), ...files(one['removed'], 'D')],
        },
      ];
    })
    .toReversed();
}
