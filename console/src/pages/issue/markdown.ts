/** An issue as Markdown, to paste into a chat, a ticket or a coding agent: what broke, where, how to see it again. */
import { frameOf, habitOf, reportOf, type StackReport, writeFrame } from '@culprit/stacktrace';
import { curlCommand } from '../../features/event/curl.ts';
import { chainOf } from '../../features/event/chain.ts';
import { entryOf, isHandled, shownExceptions } from '../../features/event/entries.ts';
import type { Event, Frame } from '../../features/event/types.ts';
import * as m from '../../messages/issue-markdown.ts';

/** What of the issue stands in the heading. */
export interface IssueFacts {
  readonly shortId: string;
  readonly title: string;
  readonly count: string;
  readonly userCount: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly status: string;
  readonly project: { readonly slug: string };
  readonly firstRelease: { readonly version: string } | null;
  readonly url: string;
}

const maxCrumbs = 20;
const maxFrames = 30;
const maxText = 4000;

export function issueMarkdown(issue: IssueFacts, event: Event): string {
  const parts = [`# ${oneLine(issue.title)}`, facts(issue, event)];
  const shown = shownExceptions(event);
  const report = reportOf(event);
  const [first] = shown;
  const linked = first ? [{ ...first, relation: 'first' as const }, ...chainOf(shown, event.platform)] : [];
  for (const each of linked) {
    const handled = isHandled(each.exception);
    const name = each.exception ? `${each.title}: ${oneLine(each.exception.value ?? '')}` : each.title;
    const told = handled === undefined ? name : handled ? m.handled({ name }) : m.unhandled({ name });
    parts.push(`## ${m.relations[each.relation]}: ${told}`);
    parts.push(stack(each.stacktrace?.frames ?? [], report));
  }
  const message = entryOf(event, 'message')?.formatted;
  if (message && message !== issue.title) parts.push(`## ${m.message}\n\n${fence(message, '')}`);
  const crumbs = entryOf(event, 'breadcrumbs')?.values ?? [];
  if (crumbs.length > 0) {
    const rows = crumbs
      .slice(-maxCrumbs)
      .map(
        (crumb) =>
          `- ${crumb.timestamp?.slice(11, 23) ?? ''} ${crumb.level} ${crumb.category ?? crumb.type}: ${oneLine(crumb.message ?? JSON.stringify(crumb.data ?? {}))}`,
      );
    parts.push(`## ${m.breadcrumbs({ shown: rows.length, all: crumbs.length })}\n\n${rows.join('\n')}`);
  }
  const request = entryOf(event, 'request');
  if (request?.url) parts.push(`## ${m.request}\n\n${fence(curlCommand(request), 'sh')}`);
  if (event.tags.length > 0)
    parts.push(`## ${m.tags}\n\n${event.tags.map((tag) => `- ${tag.key}: ${oneLine(tag.value)}`).join('\n')}`);
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function facts(issue: IssueFacts, event: Event): string {
  const release = issue.firstRelease?.version;
  const first = release ? m.firstIn({ time: issue.firstSeen, release }) : issue.firstSeen;
  const rows: [string, string | null | undefined][] = [
    [
      m.issue,
      m.issueIn({
        link: `[${issue.shortId}](${issue.url})`,
        project: issue.project.slug,
        status: issue.status,
      }),
    ],
    [m.seen, m.counts({ events: Number(issue.count), users: issue.userCount, first, last: issue.lastSeen })],
    [m.event, m.eventAt({ event: event.eventID, time: event.dateCreated })],
    [m.where, event.culprit],
    [m.release, event.release?.version],
    [m.environment, event.environment],
    [m.digest, event.digest],
    [m.trace, event.traceId],
  ];
  return rows
    .filter(([, value]) => value)
    .map(([name, value]) => `- ${name}: ${oneLine(value ?? '')}`)
    .join('\n');
}

/** Calls as their language prints them, in its order; own ones with their source, the failing line marked. */
function stack(frames: readonly Frame[], report: StackReport): string {
  if (frames.length === 0) return m.noStack;
  const shown = frames.slice(-maxFrames).map((frame) => block(frame, report));
  if (frames.length > maxFrames) shown.unshift(`… ${m.olderFrames({ count: frames.length - maxFrames })}`);
  return fence((habitOf(report.language) === 'oldest' ? shown : shown.toReversed()).join('\n'), '');
}

function block(frame: Frame, report: StackReport): string {
  const [call = '', ...more] = writeFrame(frameOf(frame), report).split('\n');
  if (!frame.inApp) return [`  ${m.library({ frame: call })}`, ...more.map((line) => `  ${line}`)].join('\n');
  const width = String(frame.context.at(-1)?.[0] ?? 0).length;
  const source = frame.context.map(
    ([number, line]) =>
      `  ${number === frame.lineNo ? '>' : ' '} ${String(number).padStart(width)} | ${line.slice(0, 300)}`,
  );
  return [call, ...more, ...source].join('\n');
}

/** A fence longer than any run of backticks inside. */
function fence(text: string, language: string): string {
  const cut = text.length > maxText * 4 ? `${text.slice(0, maxText * 4)}\n…` : text;
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map((match) => match[0].length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${cut}\n${marks}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxText ? `${line.slice(0, maxText)}…` : line;
}
