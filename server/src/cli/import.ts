/** `culprit import`: asks the running server for an import, and follows it. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import { readTarget } from '../base/outbound/index.ts';
import { findSecrets, textBox } from '../base/secrets/index.ts';
import { command as texts, stops } from '../base/texts/imports.ts';
import {
  addRun,
  cancelRun,
  findOpenRun,
  findRun,
  findStopped,
  type ImportRun,
  type ImportSettings,
  isTracker,
  reportLines,
  resumeRun,
  type Tracker,
  tokenPlace,
  trackers,
} from '../domains/imports/index.ts';
import { rememberedKey } from '../ports/state/key-claim.ts';
import type { State } from '../ports/state/state.ts';
import { readRunning } from '../running.ts';
import { byCommand, openAudit } from './audited.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { findOrganization, openInstallation, readStdin } from './stores.ts';

const dayMs = 86_400_000;
const mostEvents = 1_000;
const usualEvents = 100;
const pollMs = 300;
const sayMs = 1_000;

export const importCommand: Command = {
  name: 'import',
  summary: texts.summary,
  usage: `${trackers.join('|')} --url URL --token-stdin [options] | status [ID] | cancel [ID]`,
  options: {
    url: { type: 'string', placeholder: 'URL', help: texts.url },
    'token-stdin': { type: 'boolean', help: texts.tokenStdin },
    'token-file': { type: 'string', placeholder: 'FILE', help: texts.tokenFile },
    org: { type: 'string', placeholder: 'SLUG', help: texts.org },
    'from-org': { type: 'string', placeholder: 'SLUG', help: texts.fromOrg },
    project: { type: 'string', placeholder: 'SLUGS', help: texts.project },
    events: { type: 'string', placeholder: 'N', help: texts.events },
    since: { type: 'string', placeholder: 'WHEN', help: texts.since },
    'dry-run': { type: 'boolean', help: texts.dryRun },
    resume: { type: 'boolean', help: texts.resume },
    'keep-groups': { type: 'boolean', help: texts.keepGroups },
    'allow-private': { type: 'boolean', help: texts.private },
  },
  words: 2,
  examples: [
    'culprit import bugsink --url https://bugs.example.com --token-file token --dry-run',
    'culprit import sentry --url https://sentry.io --from-org acme --project shop,api --events 50 --token-stdin < token',
    'culprit import status',
  ],
  async run(invocation) {
    const [what, id] = invocation.words;
    if (what === 'status' || what === 'cancel') return statusOrCancel(invocation, what, id);
    if (!isTracker(what) || id !== undefined) throw new UsageError(texts.tracker(trackers));
    const { config } = invocation;
    const settings = readSettings(invocation);
    const url = readUrl(invocation.required('url'));
    const token = await readToken(invocation);
    await using state = await openInstallation(config);
    const organization = await findOrganization(state, invocation.text('org'));
    if (!(await readRunning(config.dataDir))) throw new CodedError('NOT_FOUND', [texts.noServer(config.dataDir)]);
    const run = await ask(invocation, state, { organization, tracker: what, url, settings, token });
    return await follow(invocation, state, run);
  },
};

interface Asked {
  readonly organization: { readonly id: string; readonly slug: string };
  readonly tracker: Tracker;
  readonly url: string;
  readonly settings: ImportSettings;
  readonly token: string;
}

function readSettings({ text, flag }: Invocation): ImportSettings {
  const events = text('events') ?? String(usualEvents);
  if (!/^\d{1,4}$/.test(events) || Number(events) > mostEvents) throw new UsageError(texts.eventsInvalid);
  const projects = (text('project') ?? '').split(',').flatMap((slug) => slug.trim() || []);
  return {
    fromOrg: text('from-org'),
    projects,
    events: Number(events),
    since: readSince(text('since')),
    dryRun: flag('dry-run'),
    keepGroups: flag('keep-groups'),
    allowPrivate: flag('allow-private'),
  };
}

function readSince(given: string | undefined): number | null {
  if (given === undefined) return null;
  const days = /^(\d{1,5})d$/.exec(given)?.[1];
  const at = days === undefined ? Date.parse(given) : Date.now() - Number(days) * dayMs;
  if (!(/^\d{4}-\d\d-\d\d/.test(given) || days !== undefined) || !Number.isFinite(at)) {
    throw new UsageError(texts.sinceInvalid);
  }
  return at;
}

/** Without what does not belong to it: people copy it from the address bar. */
function readUrl(given: string): string {
  try {
    const { url } = readTarget(given);
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  } catch (error) {
    throw new UsageError(stops.address(given), { cause: error });
  }
}

async function readToken({ flag, text }: Invocation): Promise<string> {
  const file = text('token-file');
  if (!flag('token-stdin') && file === undefined) throw new UsageError(texts.tokenNeeded);
  if (flag('token-stdin') && process.stdin.isTTY) process.stderr.write(texts.tokenPrompt);
  const token = (file === undefined ? await readStdin() : await readFile(file, 'utf8')).trim();
  if (token === '' || /\s/.test(token) || token.length > 4_096) throw new UsageError(texts.tokenEmpty);
  return token;
}

/** What is asked for stands in the state store, where the server finds it. */
async function ask(
  { config, flag }: Invocation,
  state: State,
  { organization, tracker, url, settings, token }: Asked,
): Promise<number> {
  const sealed = await sealToken(config, state, organization.id, url, token);
  const underWay = await findOpenRun(state, organization.id);
  if (underWay) throw new CodedError('IMPORT_UNDER_WAY', [underWay.id]);
  const audit = await openAudit(config, state);
  const deed = { ...byCommand('import'), organizationId: organization.id, action: 'import.start' } as const;
  return audit.recorded(deed, async (inside, note) => {
    note({ id: organization.id, name: organization.slug }, { details: { tracker, url } });
    const run = { organizationId: organization.id, tracker, url, settings, token: sealed };
    if (!flag('resume')) return addRun(inside, run, Date.now());
    const stopped = await findStopped(inside, run);
    if (!stopped) throw new CodedError('NOT_FOUND', [texts.nothingToResume]);
    await resumeRun(inside, stopped, sealed, Date.now());
    return stopped.id;
  });
}

async function sealToken(
  config: Config,
  state: State,
  organizationId: string,
  url: string,
  token: string,
): Promise<string> {
  const secrets = await findSecrets(config);
  const remembered = await rememberedKey(state);
  if (!secrets || (remembered ?? secrets.fingerprint) !== secrets.fingerprint) {
    throw new CodedError('NOT_FOUND', [texts.key], { hint: texts.noKey });
  }
  return textBox(secrets.box('stored secret')).seal(token, tokenPlace(organizationId, url));
}

/** Until it is over. Progress goes to stderr, the report to stdout. */
async function follow({ json, print }: Invocation, state: State, id: number): Promise<number> {
  const say = (line: string): void => void (json || process.stderr.write(`${line}\n`));
  say(texts.started(id));
  let saidAt = 0;
  for (;;) {
    const run = await findRun(state, { id });
    if (!run) throw new CodedError('NOT_FOUND', [texts.noRun]);
    if (run.state === 'done' || run.state === 'failed' || run.state === 'cancelled') {
      if (run.state === 'done') say(texts.finished(id, ((run.finishedAt ?? 0) - run.createdAt) / 1000));
      return tell(run, print);
    }
    if (Date.now() - saidAt >= sayMs && run.progress.startedAt > 0) {
      saidAt = Date.now();
      say(progressLine(run));
    }
    await delay(pollMs);
  }
}

function progressLine({ progress, detail }: ImportRun): string {
  const { project, issues, issuesTotal, events, startedAt, waitMs, waitFor = 'asked' } = progress;
  if (detail) return detail;
  if (waitMs > 0) return texts.waiting[waitFor](waitMs / 1000);
  const seconds = Math.max(1, (Date.now() - startedAt) / 1000);
  const remainingSeconds = issues > 0 ? ((issuesTotal - issues) * seconds) / issues : undefined;
  return texts.progress({ project, issues, issuesTotal, events, perSecond: events / seconds, remainingSeconds });
}

function tell(run: ImportRun, print: Invocation['print']): number {
  const { id, tracker, url, settings, state, progress, report, detail } = run;
  const lines = [
    texts.state(id, state),
    ...(detail ? [detail] : []),
    ...(state === 'running' ? [progressLine(run)] : []),
    '',
    ...reportLines(report, settings.dryRun),
    ...(settings.dryRun && state === 'done' ? ['', texts.dryFinished] : []),
  ];
  print({ id, tracker, url, settings, state, detail, progress, report }, lines);
  return state === 'failed' || state === 'cancelled' ? 1 : 0;
}

async function statusOrCancel(
  { config, print, text }: Invocation,
  what: 'status' | 'cancel',
  given: string | undefined,
): Promise<number> {
  if (given !== undefined && !/^\d{1,9}$/.test(given)) throw new UsageError(texts.tracker(trackers));
  await using state = await openInstallation(config);
  const slug = text('org');
  const organizationId = slug === undefined ? undefined : (await findOrganization(state, slug)).id;
  const run = await findRun(state, { id: given === undefined ? undefined : Number(given), organizationId });
  if (!run) throw new CodedError('NOT_FOUND', [texts.noRun]);
  if (what === 'status') {
    tell(run, print);
    return 0;
  }
  if (await cancelRun(state, run.id, Date.now())) print({ id: run.id, state: 'cancelled' }, [texts.cancelled(run.id)]);
  else tell(run, print);
  return 0;
}
