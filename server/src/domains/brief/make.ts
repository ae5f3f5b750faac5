/** A brief: an issue as one document for whoever repairs it, person or program. */
import { visibleLine } from '../../base/visible.ts';
import { entryOf, failuresOf } from './failure.ts';
import { limits } from './limits.ts';
import { proofOf } from './proof.ts';
import { reproductionOf } from './reproduce/index.ts';
import { trailOf } from './trail.ts';
import type {
  Brief,
  BriefCommit,
  BriefEvent,
  BriefFacts,
  BriefFix,
  BriefIssue,
  BriefReleases,
  BriefReproduction,
  BriefTrace,
} from './types.ts';
import { lineOrNull, manyLines, valueText } from './values.ts';

const nothing: BriefReproduction = { curl: null, steps: [], playwright: null, missing: [] };

/** Pure; bounded whatever comes in. */
export function makeBrief({ issue: given, event, trace, releases: history, similar }: BriefFacts): Brief {
  const issue = toIssue(given);
  const releases = toReleases(history);
  const { language, failure, errors } = event ? failuresOf(event) : { language: null, failure: null, errors: [] };
  const name = `${issue.shortId}: ${issue.title}`;
  const reproduce = event ? reproductionOf(event, name, failure) : nothing;
  return {
    issue,
    event: event ? toEvent(event) : null,
    language,
    failure,
    errors,
    before: event ? trailOf(event) : { crumbs: [], hidden: 0 },
    around: trace ? toTrace(trace) : null,
    releases,
    similar: similar.slice(0, limits.fixes).map(toFix),
    reproduce,
    proof: proofOf(issue, failure, reproduce, releases),
  };
}

const title = (text: string): string => visibleLine(text, limits.title);
const name = (text: string): string => visibleLine(text, limits.name);

const toIssue = (issue: BriefIssue): BriefIssue => ({
  ...issue,
  title: title(issue.title),
  culprit: title(issue.culprit),
  level: name(issue.level),
});

/** Who it was is in none of them: a brief goes further than a page. What stands above is not said again. */
const left = /^(?:user(?:\..*)?|ip_address|release|environment|level)$/;

function toEvent(event: BriefEvent): NonNullable<Brief['event']> {
  const message = entryOf<{ formatted: string }>(event, 'message')?.formatted;
  return {
    id: event.eventID,
    at: event.dateCreated,
    title: title(event.title),
    message: message === undefined ? null : manyLines(message, limits.message),
    platform: lineOrNull(event.platform, limits.name),
    release: lineOrNull(event.release?.version, limits.title),
    environment: lineOrNull(event.environment, limits.name),
    digest: lineOrNull(event.digest, limits.name),
    traceId: lineOrNull(event.traceId, limits.name),
    sdk: event.sdk && name(`${event.sdk.name} ${event.sdk.version}`),
    tags: event.tags
      .filter(({ key }) => !left.test(key))
      .slice(0, limits.tags)
      .map(({ key, value }) => ({ name: name(key), value: valueText(value) })),
    evidence: event.occurrence
      ? [
          { name: '', value: valueText(event.occurrence.subtitle) },
          ...event.occurrence.evidenceDisplay.map((one) => ({
            name: name(one.name),
            value: valueText(one.value),
          })),
        ].slice(0, limits.variables)
      : [],
  };
}

const toTrace = (trace: BriefTrace): BriefTrace => ({
  ...trace,
  traceId: name(trace.traceId),
  services: trace.services.slice(0, limits.spans).map(name),
  rows: trace.rows.slice(0, limits.spans).map((row) => ({
    ...row,
    op: name(row.op),
    name: visibleLine(row.name, limits.crumbText),
    service: name(row.service),
    status: name(row.status),
  })),
  issues: trace.issues.slice(0, limits.spans).map((one) => ({ ...one, title: title(one.title) })),
  logs: trace.logs.slice(0, limits.spans).map((log) => ({
    ...log,
    level: name(log.level),
    message: visibleLine(log.message, limits.crumbText),
  })),
});

const toReleases = (releases: BriefReleases): BriefReleases => ({
  first: lineOrNull(releases.first, limits.title),
  last: lineOrNull(releases.last, limits.title),
  since: lineOrNull(releases.since, limits.title),
  commits: releases.commits.slice(0, limits.commits).map(toCommit),
  moreCommits: releases.moreCommits || releases.commits.length > limits.commits,
  suspects: releases.suspects.slice(0, limits.suspects).map(toCommit),
  problem: lineOrNull(releases.problem, limits.title),
});

const toCommit = (commit: BriefCommit): BriefCommit => ({
  ...commit,
  sha: name(commit.sha),
  message: visibleLine(commit.message.trim().split('\n', 1)[0] ?? '', limits.crumbText),
  author: name(commit.author),
  repository: name(commit.repository),
  url: lineOrNull(commit.url, limits.title),
  files: commit.files.slice(0, limits.files).map(title),
});

const toFix = (fix: BriefFix): BriefFix => ({
  ...fix,
  title: title(fix.title),
  by: lineOrNull(fix.by, limits.name),
  release: lineOrNull(fix.release, limits.title),
  commit: lineOrNull(fix.commit, limits.name),
  message: lineOrNull(fix.message, limits.crumbText),
  comments: fix.comments.slice(0, limits.comments).map((text) => manyLines(text, limits.comment)),
});
