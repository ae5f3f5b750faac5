const script = /^(?:[cm]?[jt]sx?|vue|svelte)$/;

/** What the highlighter is asked for: the file's extension, else the platform; '' for plain. */
export function languageOf(filename: string | null, platform: string | null): string {
  if (platform === 'javascript' || platform === 'node') return 'typescript';
  const extension = /\.(\w{1,6})(?:[?#].*)?$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? platform ?? '';
  return script.test(extension) ? 'typescript' : extension;
}
