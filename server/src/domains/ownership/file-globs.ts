/** Patterns of CODEOWNERS files as globs of whole paths from the root of the repository. */

/**
 * - `/docs/` and `docs/` are all files below; the first at the root alone.
 * - `docs/*` are the files in it and none below, `*.js` the files of that name anywhere.
 * - `docs` is a file or a folder of that name anywhere, `/docs` and `a/docs` where they say.
 */
export function fileGlobsOf(pattern: string): string[] {
  const trimmed = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const body = trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed;
  // A slash at the end alone does not say where.
  const anchored = pattern.startsWith('/') || body.includes('/');
  const base = anchored ? body : `**/${body}`;
  if (trimmed.endsWith('/')) return [`${base}/**`];
  const last = body.slice(body.lastIndexOf('/') + 1);
  if (last === '**' || last.includes('*')) return [base];
  return [base, `${base}/**`];
}
