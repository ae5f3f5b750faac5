/** Where `npm test` puts proxies: Debian's packages, unpacked, since an installed one starts at once. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit-tests');

const programs = { nginx: 'usr/sbin/nginx', caddy: 'usr/bin/caddy' } as const;

export type Proxy = keyof typeof programs;

export const proxies = Object.keys(programs) as readonly Proxy[];

export const proxyDir = (name: Proxy): string => join(cache, name);

/** Unpacked or installed; undefined where it is neither. */
export function proxyProgram(name: Proxy): string | undefined {
  return [join(proxyDir(name), programs[name]), join('/', programs[name])].find((path) => existsSync(path));
}
