const byExtension: Readonly<Record<string, string>> = {
  js: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  cts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
  vue: 'typescript',
  svelte: 'typescript',
  py: 'python',
  json: 'json',
  sql: 'sql',
};

/** The highlighter's language for a file, else the one that the platform suggests; '' for plain. */
export function languageOf(filename: string | null, platform: string | null): string {
  const extension = /\.([a-z]{2,6})(?:[?#].*)?$/i.exec(filename ?? '')?.[1]?.toLowerCase();
  if (extension && Object.hasOwn(byExtension, extension)) return byExtension[extension] ?? '';
  if (platform === 'javascript' || platform === 'node') return 'typescript';
  return platform === 'python' ? 'python' : '';
}
