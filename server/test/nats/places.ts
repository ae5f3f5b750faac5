/** Where `npm test` puts nats-server: Debian's, unpacked since an installed one starts at once, and the newest, of Go. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit-tests');

export const natsDir = join(cache, 'nats-server');
export const newestNatsDir = join(cache, 'nats-server-newest');
export const newestNats = join(newestNatsDir, 'nats-server');

/** Debian's; undefined where there is none. */
export function natsProgram(): string | undefined {
  return [join(natsDir, 'usr/sbin/nats-server'), join(natsDir, 'usr/bin/nats-server'), '/usr/sbin/nats-server'].find(
    (path) => existsSync(path),
  );
}

export const hasNewestNats = (): boolean => existsSync(newestNats);
