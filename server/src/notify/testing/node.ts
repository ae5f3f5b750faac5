/** A node that does nothing but deliver, as a process that a test can kill. Arguments: JSON of the options. */
import { parseAllowList } from '../../outbound/index.ts';
import { openState } from '../../state/open.ts';
import { parseMailSettings } from '../mail/index.ts';
import { openNotifier } from '../notifier.ts';
import { testVault } from './vault.ts';

const given = JSON.parse(process.argv[2] ?? '{}') as {
  readonly url: string;
  readonly dataDir: string;
  readonly smtpUrl: string;
  /** The clock is ahead by so much, so that leases of nodes that were killed have ended. */
  readonly aheadMs: number;
};

const realNow = Date.now.bind(Date);
Date.now = () => realNow() + given.aheadMs;

const state = await openState({ url: given.url, dataDir: given.dataDir });
const notifier = openNotifier({
  state,
  failures: {
    note(error) {
      console.error(error);
    },
  },
  mail: parseMailSettings(given.smtpUrl, 'Culprit <culprit@example.com>', ''),
  vault: testVault,
  allow: parseAllowList('127.0.0.1'),
  getUrl: () => 'http://culprit.test',
  everyMs: 50,
});
console.log('delivering');
process.once('SIGTERM', () => {
  void notifier[Symbol.asyncDispose]()
    .then(() => state.close())
    .then(() => process.exit(0));
});
