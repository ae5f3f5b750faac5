/** `culprit mirror compare`: how this server and the other one group the events that both have. */
import { CodedError } from '../base/errors.ts';
import { parseAllowList } from '../base/outbound/index.ts';
import { comparison as texts } from '../base/texts/mirror.ts';
import { things } from '../base/texts/things.ts';
import {
  apiUrl,
  compare,
  type Comparison,
  type Group,
  type Missing,
  openTheirs,
  readOurs,
  usualSpan,
} from '../domains/comparison/index.ts';
import type { Mirror } from '../domains/mirror/index.ts';
import type { Project } from '../domains/projects/index.ts';
import { connectEvents } from '../ports/events/open.ts';
import type { State } from '../ports/state/state.ts';
import { readRunning } from '../running.ts';
import { type Invocation, type Option, UsageError } from './command.ts';
import { publicUrl } from './stores.ts';

const tokenVariable = 'CULPRIT_MIRROR_TOKEN';
const shownMissing = 10;

export const compareOptions: Readonly<Record<string, Option>> = {
  url: { type: 'string', placeholder: 'URL', help: texts.url },
  'their-org': { type: 'string', placeholder: 'SLUG', help: texts.theirOrganization },
  'their-project': { type: 'string', placeholder: 'SLUG', help: texts.theirProject },
  since: { type: 'string', placeholder: 'TIME', help: texts.since },
  events: { type: 'string', placeholder: 'N', help: texts.events },
  issues: { type: 'string', placeholder: 'N', help: texts.issues },
  lookups: { type: 'string', placeholder: 'N', help: texts.lookups },
};

export interface Compared {
  readonly state: State;
  readonly project: Project;
  readonly mirror: Mirror | undefined;
}

/** 0 the same issues, 1 not. */
export async function compareMirror(invocation: Invocation, { state, project, mirror }: Compared): Promise<number> {
  const { config, text, print, json } = invocation;
  const token = process.env[tokenVariable];
  if (!token) throw new UsageError(texts.tokenNeeded(tokenVariable));
  const url = apiUrl(text('url') ?? mirror?.target?.base ?? '');
  const asked = text('their-project') ?? mirror?.target?.projectId;
  if (url === undefined || asked === undefined) throw new UsageError(texts.placeNeeded);
  const bounds = {
    eventsPerIssue: numberOf(invocation, 'events', 20, 100),
    issues: numberOf(invocation, 'issues', 100, 1_000),
    lookups: numberOf(invocation, 'lookups', 200, 10_000),
  };
  const span = usualSpan(sinceOf(text('since')), mirror?.createdAt, Date.now());
  const running = await readRunning(config.dataDir);
  if (!running && !config.eventsUrl) throw new CodedError('NOT_FOUND', [things.runningServer(config.dataDir)]);
  const tell = (line: string): void => void (json || !process.stderr.isTTY || process.stderr.write(`${line}\n`));
  const place = { url, token, allow: parseAllowList(config.outboundAllow) };
  tell(texts.reading(url));
  const theirs = await openTheirs(place, { project: asked, organization: text('their-org') });
  await using events = connectEvents(running?.events ?? (await eventsAddress(config.eventsUrl)));
  const ours = readOurs({ state, events }, project, await publicUrl(config));
  const found = await compare({ ours, theirs }, span, bounds, (done, of) => {
    if (done % 25 === 0) tell(texts.asking(done, of));
  });
  const range = { since: new Date(span.sinceMs).toISOString(), until: new Date(span.untilMs).toISOString() };
  print({ ...range, there: { url, ...theirs.place }, ...found }, linesOf(found));
  return found.groups.every(({ kind }) => kind === 'same') ? 0 : 1;
}

async function eventsAddress(url: string) {
  const { parseEventsUrl } = await import('../ports/events/open.ts');
  return parseEventsUrl(url);
}

function numberOf({ text }: Invocation, option: string, usual: number, most: number): number {
  const said = text(option);
  if (said === undefined) return usual;
  const value = Number(said);
  if (!/^\d{1,6}$/.test(said) || value < 1 || value > most) throw new UsageError(texts.number(option, most));
  return value;
}

function sinceOf(said: string | undefined): number | undefined {
  if (said === undefined) return undefined;
  const at = Date.parse(said);
  if (Number.isNaN(at)) throw new UsageError(texts.time);
  return at;
}

function linesOf({ events, groups, missingHere, missingThere, unknown }: Comparison): string[] {
  const others = groups.filter(({ kind }) => kind !== 'same');
  return [
    texts.summary(events, groups.length - others.length, others.length),
    ...others.flatMap(groupLines),
    ...missingLines(missingHere, texts.missingHere(missingHere.length)),
    ...missingLines(missingThere, texts.missingThere(missingThere.length)),
    ...(unknown > 0 ? ['', texts.unknown(unknown)] : []),
  ];
}

const groupLines = ({ kind, ours, theirs }: Group): string[] => [
  '',
  texts.kinds[kind],
  ...ours.map((one) => texts.row(texts.here, one.shortId, one.events, one.title, one.url)),
  ...theirs.map((one) => texts.row(texts.there, one.shortId, one.events, one.title, one.url)),
];

function missingLines(all: readonly Missing[], title: string): string[] {
  if (all.length === 0) return [];
  const shown = all.slice(0, shownMissing);
  return [
    '',
    title,
    ...shown.map(({ eventId, issue }) => texts.missing(eventId, issue.shortId, issue.title)),
    ...(all.length > shown.length ? [texts.more(all.length - shown.length)] : []),
  ];
}
