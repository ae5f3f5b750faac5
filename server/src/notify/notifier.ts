/** Delivers what is in the outbox, on every node, several at a time and one to each place. */
import { randomUUID } from 'node:crypto';
import type { AllowList, Lookup } from '../outbound/index.ts';
import type { State } from '../state/state.ts';
import type { ChannelConfig } from './channel-config.ts';
import type { Channel } from './channel-store.ts';
import { createMailer, type Mailer, type MailSettings } from './mail/index.ts';
import { claimDue, finish, hasDue, type Job, markCommitted, placeOf, type Result, sweepDeliveries } from './outbox.ts';
import { LeaseLost, sendJob, type SendTools } from './send.ts';
import type { ChannelType, Notification } from './types.ts';
import type { Vault } from './vault.ts';

export interface NotifierOptions {
  readonly state: State;
  readonly failures: { note(error: unknown, facts?: { readonly message: string }): unknown };
  readonly mail: MailSettings | undefined;
  readonly allow: AllowList;
  readonly vault: Vault;
  /** Of the console, without a trailing slash. */
  readonly getUrl: () => string;
  /** Also done in each round, before what is due is taken: what finds out whom to tell. */
  readonly beforeRound?: readonly (() => Promise<void>)[];
  readonly lookup?: Lookup | undefined;
  readonly authority?: string | undefined;
  /** Between rounds when nobody wakes it, ms. */
  readonly everyMs?: number;
}

export interface Notifier extends AsyncDisposable {
  readonly mailer: Mailer | undefined;
  /** There may be something to send. */
  wake(): void;
  /** Sends a test message now, past the outbox. */
  test(channel: TestedChannel): Promise<Result>;
}

export interface TestedChannel {
  readonly type: ChannelType;
  readonly name: string;
  readonly config: ChannelConfig;
}

const maxAtOnce = 8;
const sweepEveryMs = 3_600_000;

export function openNotifier(options: NotifierOptions): Notifier {
  const { state, failures, mail, allow, vault, getUrl, beforeRound = [], lookup, authority, everyMs = 1_000 } = options;
  const owner = randomUUID();
  const mailer = mail && createMailer(mail);
  const tools = (): SendTools => ({ mailer, allow, vault, consoleUrl: getUrl(), lookup, authority });
  const running = new Map<number, { readonly place: string; readonly work: Promise<void> }>();
  let isClosing = false;
  let round: Promise<void> | undefined;
  let again = false;
  let sweptAt = 0;

  function wake(): void {
    again = true;
    if (round || isClosing) return;
    round = runRound().finally(() => {
      round = undefined;
      if (again && !isClosing) wake();
    });
  }

  async function runRound(): Promise<void> {
    again = false;
    // Before the server listens nobody knows what links lead to.
    if (getUrl() === '') return;
    for (const work of beforeRound) {
      await work().catch((error: unknown) =>
        failures.note(error, { message: 'whom to notify could not be found out' }),
      );
    }
    try {
      const nowMs = Date.now();
      if (Math.abs(nowMs - sweptAt) > sweepEveryMs) {
        sweptAt = nowMs;
        await sweepDeliveries(state, nowMs);
      }
      const limit = maxAtOnce - running.size;
      if (limit <= 0 || !(await hasDue(state, nowMs))) return;
      const busy = { ids: [...running.keys()], places: new Set([...running.values()].map(({ place }) => place)) };
      const jobs = await claimDue(state, { owner, nowMs, limit, busy, hasMail: mailer !== undefined });
      for (const job of jobs) start(job);
    } catch (error) {
      failures.note(error, { message: 'deliveries could not be taken from the outbox; it is tried again' });
    }
  }

  function start(job: Job): void {
    const work = deliver(job)
      .catch((error: unknown) => {
        failures.note(error, { message: 'what became of a delivery could not be written down' });
      })
      .finally(() => {
        running.delete(job.id);
        wake();
      });
    running.set(job.id, { place: placeOf(job.to), work });
  }

  async function deliver(job: Job): Promise<void> {
    const result = await sendJob(job, tools(), async () => {
      if (isClosing || !(await markCommitted(state, job.id, owner, Date.now()))) throw new LeaseLost();
    });
    await finish(state, job, owner, result, Math.random());
  }

  const timer = setInterval(wake, everyMs);
  wake();

  return {
    mailer,
    wake,
    test: ({ type, name, config }) => sendJob(testJob({ type, name, config }, getUrl()), tools(), async () => {}),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      clearInterval(timer);
      await round;
      await Promise.all([...running.values()].map(({ work }) => work));
    },
  };
}

function testJob({ type, name, config }: TestedChannel, consoleUrl: string): Pick<Job, 'key' | 'to' | 'notifications'> {
  const key = `test:${randomUUID()}`;
  const channel: Channel = {
    id: 0,
    organizationId: '',
    type,
    name,
    enabled: true,
    config,
    quietHours: null,
    createdAt: 0,
    failingSince: null,
    problem: '',
    lastSentAt: null,
    health: 'unused',
  };
  const notification: Notification = {
    kind: 'test',
    severity: 'info',
    title: `Test of the channel "${name}"`,
    text: 'This is how Culprit reaches you. Nothing has happened.',
    url: `${consoleUrl}/settings/channels`,
    fields: [],
    groupKey: key,
  };
  return { key, to: { kind: 'channel', channel }, notifications: [notification] };
}
