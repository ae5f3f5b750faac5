/** Where `npm test` puts what speaks SAML with us: kept between runs, and shared by all working copies of a person. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit-tests');

/** Of PyPI. */
export const pysaml2Version = '7.5.5';
export const pysaml2Dir = join(cache, `pysaml2-${pysaml2Version}`);
export const pysaml2Python = join(pysaml2Dir, 'bin', 'python');
/** Made last: what is half there is not there. */
export const pysaml2Ready = join(pysaml2Dir, 'ready');

export const simplesamlphpDir = join(cache, 'simplesamlphp');

/** Of Debian's package, unpacked or installed. */
export function simplesamlphpRoot(): string | undefined {
  const own = join(simplesamlphpDir, 'usr/share/simplesamlphp');
  return [own, '/usr/share/simplesamlphp'].find((root) => existsSync(join(root, 'www')));
}
