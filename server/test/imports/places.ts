/** Where `npm test` puts Bugsink: kept between runs, and shared by all working copies of a person. */
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'culprit-tests');

/** Of PyPI. */
export const bugsinkVersion = '2.6.2';
export const bugsinkDir = join(cache, `bugsink-${bugsinkVersion}`);
export const bugsinkPython = join(bugsinkDir, 'bin', 'python');
/** Settings and databases without anything in them: making them takes as long as a test. */
export const bugsinkEmpty = join(bugsinkDir, 'empty');
/** Made last: what is half there is not there. */
export const bugsinkReady = join(bugsinkDir, 'ready');
