/** What a source map calls a source, as people know the file. */

const schemes = /^(?:webpack-internal|webpack|turbopack|rspack|rollup|vite|esbuild|parcel|ng|file|app):\/\/\/?/;
/** What bundlers put before a path: the project's name, a layer of the app. */
const packageName = /^(?:_N_E|\[project\]|\[[\w-]{1,50}\])\//;
/** The name of the package that was built, which webpack puts first, with and without its scheme: it says nothing about the file. */
const ownPackage = /^(?:@[\w.-]{1,100}\/[\w.-]{1,100}\/|[\w.-]{1,100}\/(?=\.\/))/;
const layer = /^\([\w-]{1,50}\)\//;
// Rollup marks modules that are no files with a NUL.
const control = /\p{Cc}/gu;
const loaderQuery = /\?[0-9a-f]{4,8}$/;

/** `webpack://_N_E/./app/page.tsx?1a2b` and `../../app/page.tsx` become `app/page.tsx`. URLs keep their path. */
export function sourcePath(source: string): string {
  let path = source.replaceAll('\\', '/').replace(loaderQuery, '');
  const bundled = schemes.exec(path);
  if (bundled) {
    path = path.slice(bundled[0].length).replace(packageName, '').replace(layer, '');
  } else if (/^https?:\/\//.test(path)) {
    const slash = path.indexOf('/', path.indexOf('//') + 2);
    path = slash < 0 ? path : path.slice(slash + 1);
  }
  path = unescaped(path).replace(ownPackage, '').replaceAll(control, '');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '.' || (part === '' && parts.length > 0)) continue;
    if (part === '..') {
      if (parts.length > 0 && parts.at(-1) !== '') parts.pop();
      continue;
    }
    parts.push(part);
  }
  return parts.join('/') || source;
}

/** Bundlers write `[id]` as `%5Bid%5D` where they made an address of the path, whose scheme may be gone again. */
function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const runtime =
  /^(?:webpack\/(?:bootstrap|runtime|before-startup|startup)|\(webpack\)|webpack:\/\/\/?(?:[\w@-]{1,100}\/)?webpack\/|turbopack:\/\/\/?\[(?:turbopack|next)\]|\0|\[(?:turbopack|next)\]\/|(?:rolldown|vite|commonjsHelpers)[\w/:-]{0,50}(?:runtime|preload-helper|\.js$))/;
const library = /(?:^|\/)(?:node_modules|bower_components)\//;

/** Whether a source is the project's own code, by its path in the map. */
export function isOwnSource(source: string): boolean {
  const path = source.replaceAll('\\', '/');
  return !library.test(path) && !runtime.test(path);
}
