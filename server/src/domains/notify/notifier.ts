/** Delivers what is in the outbox, on every node, several at a time and one to each place. */
import { randomUUID } from 'node:crypto';
import { createAlarm, type Job } from '../../base/jobs/index.ts';
import type { AllowList, Lookup } from '../../base/outbound/index.ts';
import type { State } from '../../ports/state/state.ts';
import type { ChannelConfig } from './channel-config.ts';
import type { Channel } from './channel-store.ts';
import { createMailer, type Mailer, type MailSettings } from './mail/index.ts';
import {
  claimDue,
  countDeliveries,
  finish,
  hasDue,
  type Job as DeliveryJob,
  markCommitted,
  placeOf,
  type Result,
  sweepDeliveries,
} from './outbox.ts';
import { linkIntoOrganization } from './organization-links.ts';
import { LeaseLost, sendJob, type SendTools, type SlackAppOf } from './send.ts';
import type { ChannelType, Notification } from './types.ts';
import type { Vault } from './vault.ts';
import * as texts from '../../base/texts/notifications.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

export interface NotifierOptions {
  readonly state: State;
  readonly failures: { note(error: unknown, facts?: { readonly message: string }): unknown };
  readonly mail: MailSettings | undefined;
  readonly allow: AllowList;
  readonly vault: Vault;
  /** Of the console, without a trailing slash. */
  readonly getUrl: () => string;
  readonly lookup?: Lookup | undefined;
  readonly authority?: string | undefined;
  readonly slackApp?: SlackAppOf | undefined;
}

export interface Notifier {
  readonly jobs: readonly Job[];
  readonly mailer: Mailer | undefined;
  /** There may be something to send. */
  wake(): void;
  /** Sends a test message now, past the outbox. */
  test(channel: TestedChannel): Promise<Result>;
}

export interface TestedChannel {
  readonly organizationId: string;
  readonly type: ChannelType;
  readonly name: string;
  readonly config: ChannelConfig;
}

const maxAtOnce = 8;
/** Between rounds when nobody wakes it, ms. */
const everyMs = 1_000;
const sweepEveryMs = 3_600_000;

export function createNotifier(options: NotifierOptions): Notifier {
  const { state, failures, mail, allow, vault, getUrl, lookup, authority, slackApp } = options;
  const mailer = mail && createMailer(mail);
  const tools = (): SendTools => ({ mailer, allow, vault, consoleUrl: getUrl(), lookup, authority, slackApp });
  const alarm = createAlarm();
  const running = new Map<number, { readonly place: string; readonly work: Promise<void> }>();
  let isClosing = false;

  async function takeDue(owner: string): Promise<void> {
    // Before the server listens nobody knows what links lead to.
    const limit = getUrl() === '' ? 0 : maxAtOnce - running.size;
    const nowMs = Date.now();
    if (limit <= 0 || !(await hasDue(state, nowMs))) return;
    const busy = { ids: [...running.keys()], places: new Set([...running.values()].map(({ place }) => place)) };
    const jobs = await claimDue(state, { owner, nowMs, limit, busy, hasMail: mailer !== undefined });
    for (const job of jobs) start(job, owner);
  }

  function start(job: DeliveryJob, owner: string): void {
    const work = deliver(job, owner)
      .catch((error: unknown) => {
        failures.note(error, { message: 'could not store the result of a delivery' });
      })
      .finally(() => {
        running.delete(job.id);
        alarm.ring();
      });
    running.set(job.id, { place: placeOf(job.to), work });
  }

  async function deliver(job: DeliveryJob, owner: string): Promise<void> {
    const link = await linkIntoOrganization(state, getUrl(), job.organizationId);
    const result = await sendJob(job, { ...tools(), link }, async () => {
      if (isClosing || !(await markCommitted(state, job.id, owner, Date.now()))) throw new LeaseLost();
    });
    await finish(state, job, owner, result, Math.random());
  }

  const deliveries: Job = {
    name: 'deliveries',
    title: jobTexts.deliveries.title,
    nodes: 'each',
    everyMs,
    alarm,
    failed: jobTexts.deliveries.failed,
    async run({ node, signal }) {
      if (!signal.aborted) await takeDue(node);
    },
    count: () => countDeliveries(state),
    async close() {
      isClosing = true;
      await Promise.all([...running.values()].map(({ work }) => work));
    },
  };
  const expiry: Job = {
    name: 'delivery-expiry',
    title: jobTexts.deliveryExpiry.title,
    nodes: 'one',
    everyMs: sweepEveryMs,
    failed: jobTexts.deliveryExpiry.failed,
    async run() {
      await sweepDeliveries(state, Date.now());
    },
  };
  return {
    jobs: [deliveries, expiry],
    mailer,
    wake: () => alarm.ring(),
    test: (channel) => sendJob(testJob(channel, getUrl()), tools(), async () => {}),
  };
}

function testJob(
  { organizationId, type, name, config }: TestedChannel,
  consoleUrl: string,
): Pick<DeliveryJob, 'key' | 'to' | 'notifications'> {
  const key = `test:${randomUUID()}`;
  const channel: Channel = {
    id: 0,
    organizationId,
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
    title: texts.notifications.testTitle(name),
    text: texts.notifications.testText,
    url: `${consoleUrl}/settings/channels`,
    fields: [],
    groupKey: key,
  };
  return { key, to: { kind: 'channel', channel }, notifications: [notification] };
}
