/**
 * Releases as Sentry reads them: `package@version+build`. Versions are put in order by a text that sorts as they do:
 * four numbers of nine digits, then `~` for a version and `-` for what came before it, by its identifiers.
 */

/** Behind the last `@`, without the build. */
export const versionSql = `extract(release, '^(?:.*@)?([^@+]*)')`;
export const packageSql = `extract(release, '^(.+)@')`;
export const buildSql = `extract(release, '\\\\+(.*)$')`;

/** Numeric identifiers before others, and by their value. */
const identifier = (one: string): string =>
  `if(match(${one}, '^\\\\d{1,18}$'), concat('0', leftPad(${one}, 18, '0')), concat('1', ${one}))`;

/** '' for what is no version. */
function versionKeySql(version: string): string {
  const numbers = `extract(${version}, '^(\\\\d{1,9}(?:\\\\.\\\\d{1,9}){0,3})(?:-|$)')`;
  const identifiers = `splitByChar('.', extract(${version}, '^[^-]*-(.*)$'))`;
  return `if(${numbers} = '', '', concat(
  arrayStringConcat(arrayMap(one -> leftPad(one, 9, '0'), arrayResize(splitByChar('.', ${numbers}), 4, '0'))),
  if(position(${version}, '-') = 0, '~', concat('-', arrayStringConcat(arrayMap(one -> ${identifier('one')}, ${identifiers}), '!')))))`;
}

/**
 * A condition on the version (or build) of each release there is. The key is made once for each of them: by row it would
 * cost more than all else that a query does.
 */
export const releasesWhere = (
  table: 'errors' | 'spans',
  condition: (key: string) => string,
  version = versionSql,
): string =>
  `(release IN (SELECT release FROM (SELECT release, ${versionKeySql(version)} AS version_key FROM (SELECT DISTINCT release FROM ${table})) WHERE ${condition('version_key')}))`;

/** The same of a version that a search names; it has the form of one. */
export function versionKey(version: string): string {
  const bare = version.replace(/\+.*$/s, '');
  const hyphen = bare.indexOf('-');
  const [main, before] = hyphen < 0 ? [bare, undefined] : [bare.slice(0, hyphen), bare.slice(hyphen + 1)];
  const parts = main.split('.');
  const padded = [0, 1, 2, 3].map((index) => (parts[index] ?? '0').padStart(9, '0')).join('');
  if (before === undefined) return `${padded}~`;
  const identifiers = before
    .split('.')
    .map((one) => (/^\d{1,18}$/.test(one) ? `0${one.padStart(18, '0')}` : `1${one}`));
  return `${padded}-${identifiers.join('!')}`;
}
