/** Parts of paths that all versions read alike. */

/** Base name of a path, both kinds of slashes, without query. */
export function baseName(path: string): string {
  const bare = path.includes('?') || path.includes('#') ? (path.split(/[?#]/, 1)[0] ?? '') : path;
  return bare.slice(Math.max(bare.lastIndexOf('/'), bare.lastIndexOf('\\')) + 1);
}

const leadingFolder =
  /^(?:js|scripts?|javascripts?|build|static|node_modules|bower_components|[_.~].*|v?\d+(?:\.\d+)*|[\da-f]{7,8}|[\da-f]{32}|[\da-f]{40})$/i;

/** A module name from the path of a JavaScript source, the way symbolication names mapped frames; undefined where nothing is left. */
export function moduleFromPath(path: string): string | undefined {
  const bare = (path.split(/[?#]/, 1)[0] ?? '')
    .replace(/^[a-z][a-z\d+.-]{0,30}:\/\/+[^/]*\/?/i, '')
    .replace(/^(?:\.{0,2}\/)+/, '');
  const parts = bare.split('/');
  while (parts.length > 1 && leadingFolder.test(parts[0] ?? '')) parts.shift();
  const last = (parts.pop() ?? '')
    .replace(/\.(?:jsx?|tsx?|mjs|cjs|vue|svelte|html?|php)$/i, '')
    .replace(/[-.][\da-f]{7,}$/i, '');
  if (last === '') return undefined;
  return [...parts, last].join('/');
}
