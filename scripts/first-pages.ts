/**
 * Pages that people begin with, and the files that each is made of. The server names them in the HTML, so that they come
 * beside the entry and not one after the other.
 */

/** By the path, in which `*` stands for one part: the module of the page below `src/pages`. */
export const firstPages: Readonly<Record<string, string>> = {
  '/': 'now/NowPage.tsx',
  '/issues': 'issues/IssuesPage.tsx',
  '/issues/*': 'issue/IssuePage.tsx',
  '/find': 'find/FindPage.tsx',
  '/d/*': 'find/FindPage.tsx',
  '/traces': 'traces/TracesPage.tsx',
  '/traces/*': 'trace/TracePage.tsx',
  '/performance': 'performance/PerformancePage.tsx',
  '/releases': 'releases/ReleasesPage.tsx',
  '/releases/compare': 'release-comparison/ComparisonPage.tsx',
  '/releases/*': 'release/ReleasePage.tsx',
};

export interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** A chunk with everything that it imports at once. */
function withImports(manifest: Readonly<Record<string, Chunk>>, key: string, seen = new Set<Chunk>()): Set<Chunk> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk)) return seen;
  seen.add(chunk);
  for (const each of chunk.imports ?? []) withImports(manifest, each, seen);
  return seen;
}

/** By the path: tags for what the page needs beyond the entry. */
export function linksOfPages(manifest: Readonly<Record<string, Chunk>>): Record<string, string> {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? '';
  const first = withImports(manifest, entry);
  const linksOf = (page: string): string => {
    const key = `src/pages/${page}`;
    if (!manifest[key]) throw new Error(`the console's build has no chunk of ${key}`);
    const more = [...withImports(manifest, key)].filter((chunk) => !first.has(chunk));
    const styles = new Set(more.flatMap(({ css = [] }) => css));
    return [
      ...[...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
      ...more.map(({ file }) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`),
    ].join('');
  };
  return Object.fromEntries(Object.entries(firstPages).map(([path, page]) => [path, linksOf(page)]));
}
