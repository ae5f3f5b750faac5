/**
 * A brief as Markdown. What comes from events stands in code marks or fences that are longer than any run of their sign
 * inside, so that no text of an event is read as a heading, a link or an instruction of the document.
 */
import { habitOf } from '@culprit/stacktrace';
import { brief as texts } from '../../base/texts/brief.ts';
import { cutText } from '../../base/visible.ts';
import { limits } from './limits.ts';
import type {
  Brief,
  BriefCall,
  BriefCommit,
  BriefError,
  BriefFix,
  BriefLine,
  BriefNote,
  BriefTrace,
  BriefValue,
} from './types.ts';

export function writeBrief(brief: Brief): string {
  const { headings } = texts;
  const sections: readonly (readonly [heading: string, ...blocks: string[]])[] = [
    [headings.failure, ...failure(brief)],
    [headings.stack, ...stack(brief)],
    [headings.evidence, list(brief.event?.evidence.map(value) ?? [])],
    [headings.before, ...before(brief)],
    [headings.around, ...(brief.around ? around(brief.around) : [])],
    [headings.releases, ...releases(brief)],
    [headings.similar, list(brief.similar.map(fix))],
    [headings.reproduce, ...reproduce(brief)],
    [headings.proof, list(brief.proof)],
    [headings.tags, list(brief.event?.tags.map(value) ?? [])],
  ];
  const parts = [`# ${brief.issue.shortId}: ${code(brief.issue.title)}`, texts.untrusted, facts(brief)];
  let length = parts.join('').length;
  for (const [heading, ...blocks] of sections) {
    const shown = blocks.filter(Boolean).map((block) => {
      // Whole, so that no mark is left without its end.
      if (length + block.length > limits.document) return texts.cut;
      length += block.length;
      return block;
    });
    if (shown.length) parts.push(`## ${heading}`, ...shown);
  }
  return `${parts.join('\n\n')}\n`;
}

function facts({ issue, event }: Brief): string {
  const { facts: names } = texts;
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    [names.issue, `<${issue.url}>`],
    [names.project, issue.project],
    [names.status, [issue.status, issue.substatus].filter(Boolean).join(', ')],
    [names.seen, texts.seen(issue.events, issue.estimated, issue.users, issue.firstSeen, issue.lastSeen)],
    [names.where, codeOrNull(issue.culprit)],
    [names.event, event ? texts.eventAt(event.id, event.at) : texts.noEvent],
    [names.message, event?.message && event.message !== issue.title ? code(event.message) : null],
    [names.release, codeOrNull(event?.release)],
    [names.environment, codeOrNull(event?.environment)],
    [names.platform, codeOrNull(event?.platform)],
    [names.sdk, codeOrNull(event?.sdk)],
    [names.digest, codeOrNull(event?.digest)],
    [names.trace, codeOrNull(event?.traceId)],
  ];
  return list(rows.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : [])));
}

function failure({ failure: found, event }: Brief): readonly string[] {
  if (!found) return event ? [texts.noStack] : [];
  const { file, line, column, function: name, variables } = found;
  const place = code([file ?? '?', line, line === null ? null : column].filter((part) => part !== null).join(':'));
  const what = [found.type, found.message].filter(Boolean).join(': ');
  return [
    `**${name ? texts.inFunction(place, code(name)) : place}**${found.url ? ` ${code(found.url)}` : ''}`,
    what && code(what),
    found.own ? '' : texts.library,
    found.source.length ? fence(source(found.source, line, '')) : '',
    variables.length
      ? `${texts.variables}:\n\n${fence(variables.map(({ name: of, value: text }) => `${of} = ${text}`).join('\n'))}`
      : '',
  ];
}

function stack({ errors, language }: Brief): readonly string[] {
  if (!errors.some(({ calls }) => calls.length)) return [];
  const legend = `${texts.legend} ${texts.order[habitOf(language)]}`;
  return [legend, ...errors.flatMap(error)];
}

function error({ relation, type, message, handled, calls, hidden }: BriefError): readonly string[] {
  const name = [type, message.split('\n', 1)[0]].filter(Boolean).join(': ');
  const how = handled === null ? '' : ` (${handled ? texts.handled.yes : texts.handled.no})`;
  const heading = `### ${relation ? texts.relations[relation] : texts.reported}: ${code(name)}${how}`;
  const lines = [...calls.flatMap(call), ...(hidden ? [texts.hiddenCalls(hidden)] : [])];
  const rest = message.includes('\n') ? fence(message) : '';
  return [heading, rest, lines.length ? fence(lines.join('\n')) : texts.noStack].filter(Boolean);
}

function call({ text, own, hidden, line, source: lines, variables }: BriefCall): readonly string[] {
  return [
    ...(hidden ? [texts.hiddenCalls(hidden)] : []),
    ...text.split('\n').map((each, index) => `${own && index === 0 ? '* ' : '  '}${each}`),
    ...(lines.length ? [source(lines, line, '      ')] : []),
    ...variables.map(({ name, value: shown }) => `        ${name} = ${shown}`),
  ];
}

function source(lines: readonly BriefLine[], failing: number | null, indent: string): string {
  const width = Math.max(...lines.map(([number]) => String(number).length));
  return lines
    .map(([number, text]) => `${indent}${number === failing ? '>' : ' '} ${String(number).padStart(width)} | ${text}`)
    .join('\n');
}

function before({ before: { crumbs, hidden } }: Brief): readonly string[] {
  if (!crumbs.length) return [];
  const lines = crumbs.map(({ at, level, category, text }) =>
    `${at?.slice(11, 23) ?? ''} ${level} ${category}: ${text}`.trim(),
  );
  return [hidden ? texts.hiddenCrumbs(hidden) : '', fence(lines.join('\n'))];
}

const ms = (us: number): string => `${(us / 1000).toFixed(us < 100_000 ? 1 : 0)} ms`;

function around({ rows, issues, logs, spans, services }: BriefTrace): readonly string[] {
  const lines = rows.flatMap((row) => [
    ...(row.hidden ? [texts.hiddenSpans(row.hidden)] : []),
    [
      `${'  '.repeat(Math.min(row.depth, 12))}${row.op || '-'} ${row.name}`,
      `[${ms(row.offsetUs)} + ${ms(row.durationUs)}]`,
      ...(row.failed ? [row.status] : []),
      ...(row.asked ? [`<- ${texts.thisEvent}`] : []),
    ].join(' '),
  ]);
  const others = issues.map(({ shortId, title, offsetUs }) => `${ms(offsetUs)} ${shortId ?? ''} ${code(title)}`);
  const entries = logs.map(({ offsetUs, level, message }) => `${ms(offsetUs)} ${level}: ${message}`);
  return [
    lines.length ? texts.spans(spans, services.map(code).join(', ')) : '',
    lines.length ? fence(lines.join('\n')) : '',
    others.length ? `${texts.otherIssues}:\n\n${list(others)}` : '',
    entries.length ? `${texts.logs}:\n\n${fence(entries.join('\n'))}` : '',
  ];
}

function releases({
  releases: { first, last, since, commits, moreCommits, suspects, problem },
}: Brief): readonly string[] {
  if (first === null && last === null) return [texts.unknownRelease];
  const rows = [
    ...(first === null ? [] : [`${texts.firstSeen} ${code(first)}`]),
    ...(last === null ? [] : [`${texts.lastSeen} ${code(last)}`]),
  ];
  const more = moreCommits ? [texts.more] : [];
  return [
    list(rows),
    suspects.length ? `${texts.suspects}:\n\n${list(suspects.map(commitLine))}` : (problem ?? ''),
    commits.length && first !== null
      ? `${texts.commits(code(first), since && code(since))}:\n\n${list([...commits.map(commitLine), ...more])}`
      : '',
  ];
}

/** Of a hash; a version control system may name commits otherwise. */
const shortened = (sha: string): string => [...sha].slice(0, 12).join('');

const commitLine = ({ sha, message, author, at, repository, files }: BriefCommit): string =>
  [
    code(shortened(sha)),
    code(message || '-'),
    author && code(author),
    at.slice(0, 10),
    repository && code(repository),
    files.length ? `(${files.map(code).join(', ')})` : '',
  ]
    .filter(Boolean)
    .join(' ');

function fix({ shortId, title, by, release, commit, message, resolvedAt, comments }: BriefFix): string {
  const { resolved } = texts;
  const how = [
    resolved.plain,
    by && resolved.by(code(by)),
    release && resolved.in(code(release)),
    commit && resolved.with([code(shortened(commit)), message && code(message)].filter(Boolean).join(' ')),
    resolvedAt && resolved.at(resolvedAt),
  ].filter(Boolean);
  const said = comments.map((text) => indented(`${resolved.comment}:\n\n${fence(text)}`));
  return [`${shortId} ${code(title)}: ${how.join(' ')}`, ...said].join('\n\n');
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

function reproduce({ reproduce: { curl, steps, playwright, missing } }: Brief): readonly string[] {
  return [
    curl ? `${texts.request}\n\n${fence(curl, 'sh')}` : '',
    steps.length
      ? `${texts.stepsTitle}\n\n${steps.map((step, index) => `${index + 1}. ${note(step)}`).join('\n')}`
      : '',
    playwright ? `${texts.test}\n\n${fence(playwright, 'ts')}` : '',
    missing.length ? `${texts.missingTitle}\n\n${list(missing.map(note))}` : '',
  ];
}

const note = ({ text, what }: BriefNote): string => (what === null ? text : `${text} ${code(what)}`);

const value = ({ name, value: text }: BriefValue): string => (name ? `${code(name)}: ${code(text)}` : code(text));

const list = (rows: readonly string[]): string => rows.map((row) => `- ${row}`).join('\n');

const codeOrNull = (text: string | null | undefined): string | null => (text ? code(text) : null);

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map((found) => found[0].length));

/** Code within a line: marks longer than any run of them inside. */
export function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim() || ' ';
  const marks = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${pad}${line}${pad}${marks}`;
}

/** A block of code, ended by nothing inside. */
export function fence(text: string, language = '', most: number = limits.part): string {
  const cut = text.length > most ? `${cutText(text, most)}\n${texts.cut}` : text;
  const marks = '`'.repeat(Math.max(2, longestRun(cut)) + 1);
  return `${marks}${language}\n${cut}\n${marks}`;
}
