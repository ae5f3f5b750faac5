import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import { probeS3 } from '../ports/blobs/probe.ts';
import { connectEvents } from '../ports/events/open.ts';
import type { EventsAddress } from '../ports/events/events.ts';
import { checkSmtp, parseMailSettings } from '../domains/notify/index.ts';
import { readStored, type StoredJob } from '../jobs/index.ts';
import { readRunning } from '../running.ts';
import { isS3 } from '../base/s3/address.ts';
import { findSecrets } from '../base/secrets/index.ts';
import { rememberedKey } from '../ports/state/key-claim.ts';
import { selfReportState } from '../domains/internal-project/index.ts';
import { openState } from '../ports/state/open.ts';
import { version } from '../base/version.ts';
import { restorePoints as restorePointTexts } from '../base/texts/upgrade.ts';
import { isNatsUrl } from '../ports/nats/address.ts';
import { readStop } from '../ports/queue/retained.ts';
import { endsAt, listPoints, ownBytes } from '../ports/restore-points/index.ts';
import type { Command } from './command.ts';
import { checkAddress } from './doctor-address.ts';
import { checkNats } from './doctor-nats.ts';
import { checkClock, checkMemory, checkPort, wrongRights } from './doctor-machine.ts';
import { publicUrl } from './stores.ts';
import { doctor as texts } from '../base/texts/cli.ts';

export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** Of background work: each job, which the text shows as a table. */
  readonly jobs?: readonly StoredJob[];
}

/** S3 refuses what differs by a quarter of an hour, ms. */
const clockToleranceMs = 60_000;

/** Below this much free disk a warning is due, bytes. */
const lowDiskBytes = 2 * 1024 ** 3;

export const doctorCommand: Command = {
  name: 'doctor',
  summary: texts.summary,
  usage: '[--json]',
  options: {},
  examples: ['culprit doctor', 'culprit doctor --json'],
  async run({ config, print }) {
    const findings: Finding[] = [
      { what: texts.checks.program, state: 'ok', detail: texts.program(version, process.versions.node) },
      await attempt(texts.checks.dataDir, () => checkDisk(config)),
      await attempt(restorePointTexts.check, () => checkRestorePoints(config)),
      await attempt(texts.checks.key, () => checkKey(config)),
      await attempt(texts.checks.state, () => checkState(config)),
      ...(isNatsUrl(config.logUrl) ? [await attempt(texts.checks.nats, () => checkNats(config))] : []),
      ...(await checkS3(texts.checks.blobs, config.blobsUrl)),
      ...(await checkS3(texts.checks.backups, isS3(config.backupDir) ? config.backupDir : '')),
      await attempt(texts.checks.selfReport, () => checkSelfReport(config)),
      await attempt(texts.checks.mail, () => checkMail(config)),
      await attempt(texts.checks.jobs, () => checkJobs(config)),
      { what: texts.checks.memory, ...checkMemory() },
      ...(await checkServer(config)),
    ];
    print(
      findings,
      findings.flatMap(({ what, state, detail, jobs = [] }) => [
        `${texts.marks[state].padEnd(7)}  ${what.padEnd(17)} ${detail}`,
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
    return { state: 'warning', detail: texts.noDataDir(dataDir) };
  }
  await access(dataDir, constants.W_OK);
  const rights = await wrongRights(dataDir);
  if (rights) return rights;
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const gibibytes = (free / 1024 ** 3).toFixed(1);
  return free < lowDiskBytes
    ? { state: 'warning', detail: texts.lowDisk(dataDir, gibibytes) }
    : { state: 'ok', detail: texts.free(dataDir, gibibytes) };
}

async function checkRestorePoints({ dataDir, restorePointDays }: Config): Promise<Omit<Finding, 'what'>> {
  const points = await listPoints(dataDir);
  if (points.length === 0) return { state: 'ok', detail: restorePointTexts.none };
  const described = await Promise.all(
    points.map(async (point) => {
      const until = endsAt(point, restorePointDays);
      return restorePointTexts.point(point.from.version, point.at, until, await ownBytes(dataDir, point));
    }),
  );
  const stopped = await readStop(join(dataDir, 'log'));
  return stopped
    ? { state: 'warning', detail: [...described, restorePointTexts.stopped(stopped.at)].join('. ') }
    : { state: 'ok', detail: described.join('; ') };
}

async function checkKey(config: Config): Promise<Omit<Finding, 'what'>> {
  const secrets = await findSecrets(config);
  const sealedWith = await keyOfState(config);
  if (!secrets) {
    return sealedWith === undefined
      ? { state: 'ok', detail: texts.noKey }
      : {
          state: 'failed',
          detail: texts.keyGone(sealedWith, config.keyFile || join(config.dataDir, 'secret.key')),
        };
  }
  const { fingerprint, source } = secrets;
  if (sealedWith !== undefined && sealedWith !== fingerprint) {
    return {
      state: 'failed',
      detail: texts.keyOther(source, fingerprint, sealedWith),
    };
  }
  if (source !== 'CULPRIT_SECRET' && ((await stat(source)).mode & 0o077) !== 0) {
    return {
      state: config.keyFile ? 'warning' : 'failed',
      detail: texts.keyReadable(source),
    };
  }
  return { state: 'ok', detail: texts.keyOk(source, fingerprint) };
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
    detail: texts.noUser,
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
    return { state: 'warning', detail: texts.setUp(link ?? url) };
  }
  const projects = await state.db.selectFrom('project').select('id').execute();
  const database = config.stateUrl ? 'PostgreSQL' : 'SQLite';
  return { state: 'ok', detail: texts.state(database, projects.length, users.length) };
}

/** Nothing where it is unset. */
async function checkS3(what: string, url: string): Promise<Finding[]> {
  if (!url) return [];
  return [
    await attempt(what, async () => {
      const { place, aheadMs = 0 } = await probeS3(url);
      return Math.abs(aheadMs) > clockToleranceMs
        ? { state: 'warning', detail: texts.s3Clock(place, Math.round(aheadMs / 1000)) }
        : { state: 'ok', detail: texts.s3(place) };
    }),
  ];
}

async function checkSelfReport(config: Config): Promise<Omit<Finding, 'what'>> {
  if (!config.selfReport) {
    return { state: 'ok', detail: texts.selfReportOff };
  }
  const made = texts.selfReportLater;
  if (!config.stateUrl && !existsSync(join(config.dataDir, 'state.db'))) return { state: 'ok', detail: made };
  await using state = await openState({ url: config.stateUrl, dataDir: config.dataDir });
  const found = await selfReportState(state);
  if (found === 'none') return { state: 'ok', detail: made };
  return found.isActive
    ? { state: 'ok', detail: texts.selfReportOn(found.slug) }
    : { state: 'warning', detail: texts.selfReportNoKey(found.slug) };
}

async function checkMail({ smtpUrl, mailFrom, url }: Config): Promise<Omit<Finding, 'what'>> {
  const mail = parseMailSettings(smtpUrl, mailFrom, url);
  if (!mail) return { state: 'ok', detail: texts.mailOff };
  await checkSmtp(mail);
  return { state: 'ok', detail: texts.mailOn(mail.host, mail.port, mail.from) };
}

async function checkJobs(config: Config): Promise<Omit<Finding, 'what'>> {
  const none = { state: 'ok', detail: texts.noJobs } as const;
  if (!config.stateUrl && !existsSync(join(config.dataDir, 'state.db'))) return none;
  await using state = await openState({ url: config.stateUrl, dataDir: config.dataDir });
  // An earlier version knows nothing of it.
  const jobs = await readStored(state).catch(() => []);
  if (!jobs.length) return none;
  const failing = jobs.filter(({ attempts }) => attempts > 0);
  const waiting = jobs.reduce((sum, job) => sum + job.waiting + job.running, 0);
  return failing.length
    ? { state: 'warning', detail: texts.jobsFailing(failing.map(({ name }) => name)), jobs }
    : { state: 'ok', detail: texts.jobs(jobs.length, waiting), jobs };
}

function jobLines(jobs: readonly StoredJob[]): string[] {
  const time = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString().slice(0, 19) + 'Z');
  const line = (...cells: readonly [string, string, string, string, string]): string =>
    `         ${cells[0].padEnd(22)}${cells[1].padEnd(22)}${cells[2].padStart(7)}${cells[3].padStart(8)}  ${cells[4]}`.trimEnd();
  if (!jobs.length) return [];
  return [
    line(...texts.jobColumns),
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
        what: texts.checks.server,
        state: 'warning',
        detail: texts.notRunning,
      },
      await attempt(texts.checks.port, () => checkPort(config)),
      await attempt(texts.checks.clock, () => checkClock(config, undefined)),
    ];
  }
  const engine: Finding = ready.events
    ? { what: texts.checks.events, state: 'ok', detail: texts.eventsOk }
    : {
        what: texts.checks.events,
        state: 'failed',
        detail: texts.eventsDown,
      };
  const { unreadable = 0 } = ready.log;
  const log: Finding = !ready.log.ok
    ? {
        what: texts.checks.log,
        state: 'failed',
        detail: ready.log.awaySince === undefined ? texts.logFull : texts.logAway(ready.log.awaySince),
      }
    : unreadable > 0
      ? {
          what: texts.checks.log,
          state: 'warning',
          detail: texts.logUnreadable(ready.log.records, unreadable),
        }
      : { what: texts.checks.log, state: 'ok', detail: texts.log(ready.log.records) };
  const server: Finding = { what: texts.checks.server, state: 'ok', detail: texts.server(running.pid, running.url) };
  const { findings, aheadMs } = await checkAddress(config, running.listening);
  return [
    server,
    ...findings.map((finding) => ({ what: texts.checks.address, ...finding })),
    await attempt(texts.checks.clock, () => checkClock(config, aheadMs)),
    log,
    engine,
    ...(ready.events ? [await attempt(texts.checks.unprocessed, () => checkKept(running.events))] : []),
  ];
}

interface Ready {
  readonly events: boolean;
  readonly log: {
    readonly ok: boolean;
    readonly records: number;
    readonly unreadable?: number;
    /** ISO 8601; while NATS does not respond. */
    readonly awaySince?: string;
  };
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
  if (!rows.length) return { state: 'ok', detail: texts.noUnprocessed };
  const list = rows.map((row) => texts.unprocessed(row.n, row.item_type, row.reason, row.newest));
  return { state: 'warning', detail: texts.unprocessedAll(list) };
}
