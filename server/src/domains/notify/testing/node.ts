/** A node that does nothing but deliver, as a process that a test can kill. Arguments: JSON of the options. */
import { randomUUID } from 'node:crypto';
import { createFailures } from '../../../base/self/index.ts';
import { parseAllowList } from '../../../base/outbound/index.ts';
import { openState } from '../../../ports/state/open.ts';
import { parseMailSettings } from '../mail/index.ts';
import { openLoops } from '../../../base/jobs/testing.ts';
import { createNotifier } from '../notifier.ts';
import { testVault } from './vault.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as {
  readonly url: string;
  readonly dataDir: string;
  readonly smtpUrl: string;
  /** The clock is ahead by so much, so that leases of nodes that were killed have ended. */
  readonly aheadMs: number;
};

const realNow = Date.now.bind(Date);
Date.now = () => realNow() + options.aheadMs;

const state = await openState({ url: options.url, dataDir: options.dataDir });
const failures = createFailures({ logger: { error: (fields, message) => console.error(message, fields) } });
const notifier = createNotifier({
  state,
  failures,
  mail: parseMailSettings(options.smtpUrl, 'Culprit <culprit@example.com>', ''),
  vault: testVault,
  allow: parseAllowList('127.0.0.1'),
  getUrl: () => 'http://culprit.test',
});
const loops = openLoops(notifier.jobs, { failures, node: randomUUID(), everyMs: 50 });
// The loops' own timers keep no process alive.
const alive = setInterval(() => {}, 60_000);
console.log('delivering');
process.once('SIGTERM', () => {
  clearInterval(alive);
  void loops[Symbol.asyncDispose]()
    .then(() => state.close())
    .then(() => process.exit(0));
});
