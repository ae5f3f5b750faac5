/** Makes a restore point until it is killed; run as a process of its own. */
import { testSecrets } from '../../../base/secrets/testing.ts';
import { prepareDataDir } from '../prepare.ts';

process.stdout.write('begins\n');
await prepareDataDir({
  dataDir: process.argv[2] ?? '',
  logMaxBytes: 2 ** 28,
  wanted: true,
  box: async () => testSecrets.boxSetup('log record'),
});
process.stdout.write('done\n');
