/** Where `npm test` puts what checks files for Compose: the Compose specification's own reader, made by Go from its module. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit-tests');

export const composeVersion = 'v2.16.2';
export const composeModule = `github.com/compose-spec/compose-go/v2/cmd@${composeVersion}`;
export const composeDir = join(cache, `compose-${composeVersion}`);
export const composeProgram = join(composeDir, 'cmd');
export const hasCompose = (): boolean => existsSync(composeProgram);
