import { frameOf, writeFrame, writeStack } from '@culprit/stacktrace';
import { toStacktrace } from '../api/events/entries.ts';
import { toReport } from '../api/events/report.ts';
import { connectEvents } from '../ports/events/open.ts';
import { CodedError } from '../base/errors.ts';
import { type Answer, type Cause, find, lineOf, type Match } from '../domains/find/index.ts';
import type { IssueRow } from '../domains/issues/index.ts';
import { listProjects, type Project } from '../domains/projects/index.ts';
import { readRunning } from '../running.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization, openInstallation, publicUrl, readStdin } from './stores.ts';
import { estimated, number, plural } from '../base/texts/intl.ts';
import { digest as texts } from '../base/texts/cli.ts';

export const digestCommand: Command = {
  name: 'digest',
  summary: texts.summary,
  usage: texts.usage,
  options: {
    org: { type: 'string', placeholder: 'SLUG', help: texts.organization },
    stack: { type: 'boolean', help: texts.stack },
  },
  words: 10_000,
  examples: [
    'culprit digest 1930860604',
    'culprit digest "Application error: a server-side exception … Digest: 1930860604"',
    'culprit digest - < screen.txt',
  ],
  /** 0 found, 1 not found. */
  async run({ config, words, text, flag, print }) {
    const asked = words.length === 1 && words[0] === '-' ? await readStdin() : words.join(' ');
    if (asked.trim() === '') throw new UsageError(texts.missing);
    const running = await readRunning(config.dataDir);
    if (!running) throw new CodedError('NOT_FOUND', [texts.noServer(config.dataDir)]);
    await using state = await openInstallation(config);
    await using events = connectEvents(running.events);
    const organizations = text('org')
      ? [await findOrganization(state, text('org'))]
      : await state.db.selectFrom('organization').select('id').execute();
    const projects = (await Promise.all(organizations.map(({ id }) => listProjects(state, id)))).flat();
    const url = await publicUrl(config);
    const ownHosts = URL.canParse(url) ? [new URL(url).host] : [];
    const answer = await find({ state, events }, { text: asked, projects, ownHosts, nowMs: Date.now() });
    const place = { url, projects, isWhole: flag('stack') };
    print(toJson(answer, place), toLines(answer, place, Date.now()));
    return answer.kind === 'cause' || answer.kind === 'issue' ? 0 : 1;
  },
};

interface Place {
  /** Without a trailing slash. */
  readonly url: string;
  readonly projects: readonly Project[];
  /** Whether whole stacks are printed. */
  readonly isWhole: boolean;
}

function shortIdOf(issue: IssueRow, { projects }: Place): string {
  return `${projects.find((one) => one.id === issue.projectId)?.shortIdPrefix ?? '?'}-${issue.number}`;
}

const linkOf = (issue: IssueRow, event: Match | undefined, place: Place): string =>
  `${place.url}/issues/${encodeURIComponent(shortIdOf(issue, place))}${event ? `?event=${event.eventId}` : ''}`;

const iso = (ms: number): string => new Date(ms).toISOString();

function toJson(answer: Answer, place: Place): unknown {
  const understood = answer.understood.map(({ kind, value }) => ({ kind, value }));
  if (answer.kind === 'issue') {
    return {
      found: true,
      understood,
      issue: issueJson(answer.issue, place),
      url: linkOf(answer.issue, undefined, place),
    };
  }
  if (answer.kind !== 'cause') {
    const lastServerEvent = 'evidence' in answer ? answer.evidence.lastServerEvent : undefined;
    return {
      found: false,
      kind: answer.kind,
      understood,
      lastServerEvent: lastServerEvent ? iso(lastServerEvent.at) : null,
    };
  }
  return {
    found: true,
    understood,
    digest: answer.matchedBy === 'digest' ? answer.value : null,
    host: answer.host ?? null,
    events: answer.events,
    estimated: answer.estimate ?? null,
    visits: answer.visits,
    since: iso(answer.firstSeen),
    lastSeen: iso(answer.lastSeen),
    releases: answer.releases,
    browserEvents: answer.shown.length,
    traces: answer.traces.map(({ id }) => id),
    causes: answer.causes.map((cause) => ({
      issue: issueJson(cause.issue, place),
      event: cause.event.eventId,
      exception: { type: cause.thrown?.type ?? null, value: cause.thrown?.value ?? null },
      line: cause.thrown?.frame ? lineOf(cause.thrown.frame) : null,
      stack: stackOf(cause) || null,
      events: cause.events,
      estimated: cause.estimate ?? null,
      visits: cause.visits,
      since: iso(cause.firstSeen),
      lastSeen: iso(cause.lastSeen),
      url: linkOf(cause.issue, cause.event, place),
    })),
    more: answer.more,
  };
}

const issueJson = (issue: IssueRow, place: Place) => ({
  id: issue.id,
  shortId: shortIdOf(issue, place),
  title: issue.title,
  status: issue.status,
});

function toLines(answer: Answer, place: Place, nowMs: number): string[] {
  switch (answer.kind) {
    case 'cause':
      return [
        ...answer.causes.flatMap((cause) => [...causeLines(cause, place, nowMs), '']),
        ...(answer.more ? [texts.more(answer.more), ''] : []),
        shownLine(answer),
      ];
    case 'issue':
      return [
        clean(`${shortIdOf(answer.issue, place)}  ${answer.issue.title}`),
        linkOf(answer.issue, undefined, place),
      ];
    case 'trace': {
      const { trace } = answer;
      return [texts.trace(trace.spans), `${place.url}/traces/${trace.id}`];
    }
    case 'browser_only':
      return [
        texts.browserOnly,
        texts.browserEvents(answer.shown.length, ago(answer.lastSeen, nowMs)),
        ...serverLines(answer.evidence.lastServerEvent, nowMs),
      ];
    case 'search':
      return [texts.search(`${place.url}/issues?q=${encodeURIComponent(answer.search)}`)];
    case 'page':
      return [
        texts.page,
        ...(answer.issues.length
          ? answer.issues.map(({ issue, event }) =>
              clean(`  ${shortIdOf(issue, place)}  ${issue.title}  (${ago(event.at, nowMs)})`),
            )
          : [texts.none]),
      ];
    case 'nothing':
      return [
        answer.digest === undefined ? texts.unknownId : texts.noEvent(answer.digest),
        ...serverLines(answer.evidence.lastServerEvent, nowMs),
        ...(answer.evidence.digests.seen ? [] : [texts.noDigests]),
        ...answer.evidence.dropped.map(({ outcome, reason, quantity }) =>
          texts.dropped(number(quantity), outcome, reason),
        ),
      ];
    case 'empty':
      return [texts.empty];
  }
}

const serverLines = (event: Match | undefined, nowMs: number): string[] => [
  event ? clean(texts.lastServerEvent(ago(event.at, nowMs), event.title)) : texts.noServerEvent,
];

function seenLine({ visits, estimate, firstSeen, lastSeen }: Cause, nowMs: number): string {
  const seen = visits.unit === 'traces' ? plural(visits.count, 'visit') : estimated(visits.count, estimate, 'event');
  return `  ${texts.seen(seen, iso(firstSeen), ago(firstSeen, nowMs), ago(lastSeen, nowMs))}`;
}

function causeLines(cause: Cause, place: Place, nowMs: number): string[] {
  const { issue, event, thrown } = cause;
  const line = thrown?.frame ? lineOf(thrown.frame) : undefined;
  const width = String(line?.context.at(-1)?.[0] ?? '').length;
  const source = (line?.context ?? []).map(
    ([number, source]) => `${number === line?.line ? '  > ' : '    '}${String(number).padStart(width)} | ${source}`,
  );
  return [
    `${shortIdOf(issue, place)}  ${issue.title}`,
    ...(place.isWhole ? ['', ...stackOf(cause).split('\n')] : [...callLines(cause), '', ...source]),
    ...(place.isWhole || source.length ? [''] : []),
    seenLine(cause, nowMs),
    ...(event.url || event.transaction ? [`  on ${event.url || event.transaction}`] : []),
    ...(cause.releases.length ? [`  in ${cause.releases.join(', ')}`] : []),
    `  ${linkOf(issue, event, place)}`,
  ].map(clean);
}

/** The call that threw, as its language prints it. */
function callLines({ thrown }: Cause): string[] {
  const frame = thrown?.frame && toStacktrace({ frames: [thrown.frame] })?.frames[0];
  if (!thrown || !frame) return [];
  return writeFrame(frameOf(frame), toReport(thrown.event))
    .split('\n')
    .map((line) => `  ${line}`);
}

const stackOf = ({ thrown }: Cause): string => (thrown ? writeStack(toReport(thrown.event)) : '');

function shownLine({ shown, traces }: Extract<Answer, { kind: 'cause' }>): string {
  if (!shown.length) return texts.noBrowserEvent;
  const [trace] = traces;
  return texts.shown(shown.length, trace?.id);
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

function ago(ms: number, nowMs: number): string {
  const unit = units.find(([size]) => nowMs - ms >= size);
  return unit ? texts.ago(Math.floor((nowMs - ms) / unit[0]), unit[1]) : texts.now;
}

/** Texts come from anywhere; a terminal must not take them for commands. Tabs are what languages indent by. */
const clean = (text: string): string => text.replaceAll(/[^\P{Cc}\t]|\p{Cf}/gu, ' ');
