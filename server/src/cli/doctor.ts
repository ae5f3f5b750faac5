import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import { connectEvents } from '../ports/events/open.ts';
import type { EventsAddress } from '../ports/events/events.ts';
import { checkSmtp, parseMailSettings } from '../domains/notify/index.ts';
import { readStored, type StoredJob } from '../jobs/index.ts';
import { readRunning } from '../running.ts';
import { findSecrets } from '../base/secrets/index.ts';
import { rememberedKey } from '../ports/state/key-claim.ts';
import { selfReportState } from '../domains/internal-project/index.ts';
import { openState } from '../ports/state/open.ts';
import { version } from '../base/version.ts';
import type { Command } from './command.ts';
import { publicUrl } from './stores.ts';
import { plural, withUnit } from '../base/numbers.ts';

interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** Of background work: each job, which the text shows as a table. */
  readonly jobs?: readonly StoredJob[];
}

/** Below this much free disk a warning is due, bytes. */
const lowDiskBytes = 2 * 1024 ** 3;

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Checks the installation: settings, disk, stores, backlog, and what could not be processed.',
  usage: '[--json]',
  options: {},
  examples: ['culprit doctor', 'culprit doctor --json'],
  async run({ config, print }) {
    const findings: Finding[] = [
      { what: 'program', state: 'ok', detail: `culprit ${version} on Node ${process.versions.node}` },
      await attempt('data directory', () => checkDisk(config)),
      await attempt('key', () => checkKey(config)),
      await attempt('state store', () => checkState(config)),
      await attempt('self-report', () => checkSelfReport(config)),
      await attempt('mail', () => checkMail(config)),
      await attempt('background work', () => checkJobs(config)),
      ...(await checkServer(config)),
    ];
    const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
    print(
      findings,
      findings.flatMap(({ what, state, detail, jobs = [] }) => [
        `${marks[state]}  ${what.padEnd(16)} ${detail}`,
        ...jobLines(jobs),
      ]),
    );
    return findings.some((finding) => finding.state === 'failed') ? 1 : 0;
  },
};

async function attempt(what: string, check: () => Promise<Omit<Finding, 'what'>>): Promise<Finding> {
  try {
    return { what, ...(await check()) };
  } catch (error) {
    return { what, state: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

async function checkDisk({ dataDir }: Config): Promise<Omit<Finding, 'what'>> {
  if (!existsSync(dataDir)) {
    return { state: 'warning', detail: `${dataDir} does not exist; "culprit serve" or "culprit init" makes it` };
  }
  await access(dataDir, constants.W_OK);
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const gigabytes = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  return free < lowDiskBytes
    ? { state: 'warning', detail: `${dataDir}: only ${gigabytes}; free some, or lower CULPRIT_RETENTION_DAYS` }
    : { state: 'ok', detail: `${dataDir}: ${gigabytes}` };
}

async function checkKey(config: Config): Promise<Omit<Finding, 'what'>> {
  const secrets = await findSecrets(config);
  const sealedWith = await keyOfState(config);
  if (!secrets) {
    return sealedWith === undefined
      ? { state: 'ok', detail: 'none yet: the first start makes it' }
      : {
          state: 'failed',
          detail: `the key that secrets are sealed with (${sealedWith}) is gone: restore ${config.keyFile || join(config.dataDir, 'secret.key')}, or set CULPRIT_SECRET to it`,
        };
  }
  const { fingerprint, source } = secrets;
  if (sealedWith !== undefined && sealedWith !== fingerprint) {
    return {
      state: 'failed',
      detail: `${source} (${fingerprint}) is another key than secrets are sealed with (${sealedWith}): restore that one; is it lost, "culprit key adopt" goes on with this one`,
    };
  }
  if (source !== 'CULPRIT_SECRET' && ((await stat(source)).mode & 0o077) !== 0) {
    return {
      state: config.keyFile ? 'warning' : 'failed',
      detail: `${source} can be read by others: chmod 600 ${source}`,
    };
  }
  return { state: 'ok', detail: `${source} (${fingerprint}); keep a copy of it elsewhere than backups of the data` };
}

/** Undefined while nothing is sealed. */
async function keyOfState(config: Config): Promise<string | undefined> {
  // To look must not make what is not there.
  if (!config.stateUrl && !existsSync(join(config.dataDir, 'state.db'))) return undefined;
  await using state = await openState({ url: config.stateUrl, dataDir: config.dataDir });
  return await rememberedKey(state);
}

async function checkState(config: Config): Promise<Omit<Finding, 'what'>> {
  const nobody = {
    state: 'warning',
    detail: 'no user yet: "culprit serve" prints the link that sets it up, or run "culprit init"',
  } as const;
  // To look must not make what is not there.
  if (!config.stateUrl && !existsSync(join(config.dataDir, 'state.db'))) return nobody;
  await using state = await openState({ url: config.stateUrl, dataDir: config.dataDir });
  const users = await state.db.selectFrom('user').select('id').execute();
  if (users.length === 0) {
    const secrets = await findSecrets(config);
    if (!secrets) return nobody;
    const { authSecret, createAccounts } = await import('../domains/accounts/index.ts');
    const [url, secret] = [await publicUrl(config), await authSecret(state, secrets)];
    const link = await (await createAccounts({ state, getUrl: () => url, secret })).setUpLink();
    return { state: 'warning', detail: `no user yet: open ${link ?? url}, or run "culprit init"` };
  }
  const projects = await state.db.selectFrom('project').select('id').execute();
  const database = config.stateUrl ? 'PostgreSQL' : 'SQLite';
  return { state: 'ok', detail: `${database}, ${plural(projects.length, 'project')}, ${plural(users.length, 'user')}` };
}

async function checkSelfReport(config: Config): Promise<Omit<Finding, 'what'>> {
  if (!config.selfReport) {
    return { state: 'ok', detail: 'off (CULPRIT_SELF_REPORT): failures of Culprit itself stand in its log only' };
  }
  const made = 'on: the first start after the set-up makes the project for it';
  if (!config.stateUrl && !existsSync(join(config.dataDir, 'state.db'))) return { state: 'ok', detail: made };
  await using state = await openState({ url: config.stateUrl, dataDir: config.dataDir });
  const found = await selfReportState(state);
  if (found === 'none') return { state: 'ok', detail: made };
  return found.isActive
    ? { state: 'ok', detail: `on: failures of Culprit itself go to its own project "${found.slug}", and nowhere else` }
    : { state: 'warning', detail: `on, but the project "${found.slug}" has no enabled key: nothing is reported` };
}

async function checkMail({ smtpUrl, mailFrom, url }: Config): Promise<Omit<Finding, 'what'>> {
  const mail = parseMailSettings(smtpUrl, mailFrom, url);
  if (!mail)
    return { state: 'ok', detail: 'off: no mail is sent; set CULPRIT_SMTP_URL and CULPRIT_MAIL_FROM to send it' };
  await checkSmtp(mail);
  return { state: 'ok', detail: `${mail.host}:${mail.port} takes mail from ${mail.from}` };
}

async function checkJobs(config: Config): Promise<Omit<Finding, 'what'>> {
  const none = { state: 'ok', detail: 'none yet: the first start lists it' } as const;
  if (!config.stateUrl && !existsSync(join(config.dataDir, 'state.db'))) return none;
  await using state = await openState({ url: config.stateUrl, dataDir: config.dataDir });
  // An earlier version knows nothing of it.
  const jobs = await readStored(state).catch(() => []);
  if (!jobs.length) return none;
  const failing = jobs.filter(({ attempts }) => attempts > 0);
  const waiting = jobs.reduce((sum, job) => sum + job.waiting + job.running, 0);
  return failing.length
    ? { state: 'warning', detail: `failing, and being retried: ${failing.map(({ name }) => name).join(', ')}`, jobs }
    : { state: 'ok', detail: `${plural(jobs.length, 'job')}, none failing, ${waiting} to do`, jobs };
}

function jobLines(jobs: readonly StoredJob[]): string[] {
  const time = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString().slice(0, 19) + 'Z');
  const line = (...cells: readonly [string, string, string, string, string]): string =>
    `         ${cells[0].padEnd(22)}${cells[1].padEnd(22)}${cells[2].padStart(7)}${cells[3].padStart(8)}  ${cells[4]}`.trimEnd();
  if (!jobs.length) return [];
  return [
    line('job', 'last run', 'to do', 'failed', ''),
    ...jobs.map(({ name, endedAt, waiting, running, attempts, failure, failedAt }) =>
      line(
        name,
        time(endedAt),
        String(waiting + running),
        String(attempts),
        failedAt === null ? '' : `${time(failedAt)} ${failure}`,
      ),
    ),
  ];
}

async function checkServer(config: Config): Promise<Finding[]> {
  const running = await readRunning(config.dataDir);
  const ready = running && (await askReady(running.listening));
  if (!running || !ready) {
    return [
      {
        what: 'server',
        state: 'warning',
        detail:
          'not running on this data directory: start it with "culprit serve"; backlog and kept items were not checked',
      },
    ];
  }
  const engine: Finding = ready.events
    ? { what: 'events store', state: 'ok', detail: 'answers' }
    : {
        what: 'events store',
        state: 'failed',
        detail: 'does not answer; incoming events wait in the log. The server log says why',
      };
  const { unreadable = 0 } = ready.log;
  const log: Finding = !ready.log.ok
    ? {
        what: 'log',
        state: 'failed',
        detail: 'full: ingestion answers 503. Raise CULPRIT_LOG_MAX_BYTES, or mend what holds processing up',
      }
    : unreadable > 0
      ? {
          what: 'log',
          state: 'warning',
          detail: `${ready.log.records} requests wait; ${unreadable} do not open with this key and are kept aside for 30 days: start with the key that they were sealed with, and they are processed`,
        }
      : { what: 'log', state: 'ok', detail: `${ready.log.records} requests wait` };
  const server: Finding = { what: 'server', state: 'ok', detail: `process ${running.pid}, ${running.url}` };
  return [
    server,
    log,
    engine,
    ...(ready.events ? [await attempt('items kept aside', () => checkKept(running.events))] : []),
  ];
}

interface Ready {
  readonly events: boolean;
  readonly log: { readonly ok: boolean; readonly records: number; readonly unreadable?: number };
}

/** Undefined when nobody answers, or another program that has taken the port of a server that is gone. */
async function askReady(address: string): Promise<Ready | undefined> {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) });
    const ready = (await answer.json()) as Partial<Ready> | null;
    return typeof ready?.events === 'boolean' && ready.log ? { events: ready.events, log: ready.log } : undefined;
  } catch {
    return undefined;
  }
}

async function checkKept(address: EventsAddress): Promise<Omit<Finding, 'what'>> {
  await using events = connectEvents(address);
  const rows = await events.query<{ reason: string; item_type: string; n: number; newest: string }>(
    `SELECT reason, item_type, count() AS n, toString(max(received_at)) AS newest FROM items
     WHERE outcome = 'invalid' GROUP BY reason, item_type ORDER BY n DESC LIMIT 10`,
  );
  if (!rows.length) return { state: 'ok', detail: 'none: everything that arrived could be processed' };
  const list = rows.map((row) => `${withUnit(row.n, '×')} ${row.item_type}: ${row.reason} (newest ${row.newest})`);
  return { state: 'warning', detail: `${list.join('; ')}. The health page shows them` };
}
