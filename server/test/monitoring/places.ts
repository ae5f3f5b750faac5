/** Where `npm test` puts Prometheus: of Debian's package, unpacked and not installed, since installed it starts at once. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit-tests');

export const prometheusDir = join(cache, 'prometheus');

/** Undefined where it is not there. */
export const prometheusProgram = (name: 'prometheus' | 'promtool'): string | undefined =>
  [join(prometheusDir, 'usr/bin', name), join('/usr/bin', name)].find((path) => existsSync(path));
