/**
 * A node that does nothing but background work, all of the program's, as a process that a test can kill. Its argument is JSON of
 * `NodeSetup`; it says "ready" once it runs.
 */
import { pino } from 'pino';
import { readConfig } from '../../base/config.ts';
import type { Job } from '../../base/jobs/index.ts';
import { createLive } from '../../base/live.ts';
import { createFailures } from '../../base/self/index.ts';
import { enqueueReports } from '../../domains/notify/report.ts';
import { createAudit, sealOf } from '../../domains/audit/index.ts';
import { createInternalProject } from '../../domains/internal-project/index.ts';
import { textBox } from '../../base/secrets/index.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { testVault } from '../../domains/notify/testing/vault.ts';
import { openBlobs } from '../../ports/blobs/open.ts';
import type { EventsAddress } from '../../ports/events/events.ts';
import { connectEvents } from '../../ports/events/open.ts';
import { openState, type StateOptions } from '../../ports/state/open.ts';
import type { State } from '../../ports/state/state.ts';
import { openDomains } from '../../services/domains.ts';
import { openIntake } from '../../services/intake.ts';
import { listJobs } from '../../services/jobs.ts';
import { createMoveState } from '../../services/changes.ts';
import type { Later } from '../../services/later.ts';
import { createRunner } from '../runner.ts';

export interface NodeSetup {
  readonly node: string;
  readonly state: StateOptions;
  readonly events: EventsAddress;
  /** Blobs are shared between nodes. */
  readonly dataDir: string;
  readonly leaseMs: number;
  readonly smtpUrl: string;
  /** At which weeks are reported, whatever day it is; ms since the epoch. */
  readonly monday: number;
}

/** What is done every few minutes is done so often here. */
const hurriedMs = 1_000;
const seldomMs = 15 * 60_000;

const { node, leaseMs, smtpUrl, monday, ...places } = JSON.parse(process.argv[2] ?? '') as NodeSetup;
const state = await openState(places.state);
const blobsOptions = { url: '', dataDir: places.dataDir };
const failures = createFailures({ logger: { error: (fields, message) => console.error(message, fields) } });
const auditSeal = sealOf(testSecrets);
const stores = {
  node,
  state,
  stateOptions: places.state,
  events: connectEvents(places.events),
  blobs: openBlobs(blobsOptions),
  blobsOptions,
  live: createLive(),
  internal: createInternalProject({ state, enabled: false }),
  log: {
    shrink: async () => 0,
    spareBytes: () => 0,
    // No import is asked for.
    append: () => Promise.reject(new Error('this node has no log')),
    end: () => 1,
    isDoneBefore: () => true,
    stats: () => ({ records: 0, bytes: 0, limitBytes: 0, unreadable: 0 }),
  },
  failures,
  vault: testVault,
  auditSeal,
  auditBox: textBox(testSecrets.box('stored secret')),
  audit: createAudit(state, auditSeal),
  recordBox: testSecrets.boxSetup('log record'),
  keyFingerprint: testSecrets.fingerprint,
  sessionSecret: 'a secret of thirty-two letters or more',
  pseudonymKey: '00',
};

/** Only one node counts at a time. */
const counter = ({ db }: State): Job => ({
  name: 'counter',
  title: 'Counts',
  nodes: 'one',
  everyMs: 20,
  failed: 'counting failed',
  async run() {
    const before = await db.selectFrom('setting').select('value').where('name', '=', 'count').executeTakeFirst();
    const value = String(Number(before?.value ?? 0) + 1);
    await db
      .insertInto('setting')
      .values({ name: 'count', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  },
});

const later: Later = {
  url: 'http://culprit.test',
  address: '',
  ingest: undefined,
  pipeline: undefined,
  eventsPrepared: true,
  isDraining: false,
  moving: createMoveState(),
};
const config = readConfig(
  { dataDir: places.dataDir },
  { CULPRIT_SMTP_URL: smtpUrl, CULPRIT_MAIL_FROM: 'Culprit <culprit@example.com>' },
);
const intake = openIntake(config, stores, later);
const domains = await openDomains(config, pino({ level: 'silent' }), stores, intake, later, new AsyncDisposableStack());
const hurried = (job: Job): Job =>
  job.everyMs < seldomMs ? { ...job, everyMs: Math.min(job.everyMs, hurriedMs) } : job;
const onMonday = (job: Job): Job =>
  job.name === 'weekly-reports'
    ? { ...job, run: () => enqueueReports(stores, { consoleUrl: later.url, nowMs: monday }) }
    : job;
const jobs = [...listJobs(config, stores, domains, later).map(hurried).map(onMonday), counter(state)];
stores.live.subscribe((message) => {
  // At once, or never where this process is killed before.
  if (message.type === 'digest') console.log(`told ${message.watchId}`);
});
createRunner(jobs, { state, failures, node, leaseMs }).start(Promise.resolve());
console.log('ready');
// The runner's own timers keep no process alive.
setInterval(() => {}, 60_000);
