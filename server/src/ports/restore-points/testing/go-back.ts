/** Returns to the newest restore point until it is killed; run as a process of its own. */
import { testSecrets } from '../../../base/secrets/testing.ts';
import { listPoints } from '../points.ts';
import { returnTo } from '../return.ts';

const dataDir = process.argv[2] ?? '';
const point = (await listPoints(dataDir)).at(-1);
if (!point) throw new Error('no restore point');
await returnTo({ dataDir, point, logMaxBytes: 2 ** 28, box: testSecrets.boxSetup('log record') });
