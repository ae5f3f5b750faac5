/** What the address of a repository says by itself. */
export type ProviderId = 'github' | 'gitlab' | 'bitbucket' | 'other';

/** By the host's name, as self-hosted ones are usually called, too. */
export function providerOf(address: string): ProviderId {
  const host = /^https?:\/\/(?:[^/@\s]*@)?([^/:\s]+)/i.exec(address.trim())?.[1]?.toLowerCase() ?? '';
  return (['github', 'gitlab', 'bitbucket'] as const).find((each) => host.split('.').includes(each)) ?? 'other';
}

/** `acme/shop` of `https://github.com/acme/shop.git`. */
export function repositoryName(address: string): string {
  const path = /^https?:\/\/[^/\s]+\/([^?#\s]+)/i.exec(address.trim())?.[1] ?? '';
  return path.replace(/\/+$/, '').replace(/\.git$/i, '');
}
