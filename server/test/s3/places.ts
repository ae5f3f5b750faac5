/** Where `npm test` puts its S3 server: versitygw, made by Go from its module. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit-tests');

export const versitygwVersion = 'v1.8.0';
export const versitygwModule = `github.com/versity/versitygw/cmd/versitygw@${versitygwVersion}`;
export const versitygwDir = join(cache, `versitygw-${versitygwVersion}`);

/** Undefined where it is not there. */
export function versitygwProgram(): string | undefined {
  const path = join(versitygwDir, 'versitygw');
  return existsSync(path) ? path : undefined;
}
