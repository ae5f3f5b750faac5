/** Why a change of issues is refused, and what a bulk change reports. */
import { number } from './intl.ts';

export const changes = {
  none: 'a change is required: status, assignedTo, priority, …',
  combined: 'deleting and discarding cannot be combined with other changes',
  mergeAlone: 'merge cannot be combined with other changes',
  noStatus: 'substatus and statusDetails require a status',
  assignee: (name: string) => `assignedTo: ${name} is not a member. Use an email address or #team`,
  assigneeTeam: 'assignedTo: this member is in no team of the project',
  issuesNeeded: 'id (repeatable) or query is required',
  idNeeded: 'id (repeatable) is required',
  noRelease: 'inRelease: there is no latest release yet',
  resolution: 'statusDetails: use one of inNextRelease, inRelease, inCommit',
  past: 'statusDetails.ignoreUntil: must be in the future',
  problemLimit: 'eventLimit: performance problems have none, since each is found once',
  condition: 'statusDetails: use ignoreDuration, ignoreCount or ignoreUserCount',
} as const;

export const bulk = {
  limited: (max: number) => `Only the first ${number(max)} matching issues are changed`,
  undo: {
    hidden: 'it changed issues of projects that you can no longer see',
    continued: 'it continued in the meantime',
    deleted: 'deleted issues cannot be restored',
    undone: 'it is already undone',
    running: 'it is still running. Stop it first',
    tooLate: 'changes can be undone for a day',
  },
} as const;

export const merges = {
  tooMany: (max: number) => `the limit is ${max} issues per merge`,
  projectDeleted: 'the project was deleted',
  notInList: 'the issue to keep is not in the list',
  oneIssue: 'they are already one issue',
  twoNeeded: 'at least two issues are required',
  projects: 'they belong to different projects',
  kinds: 'errors and performance issues cannot be merged',
  tooManyHashes: (count: number, max: number) =>
    `together they have ${count} hashes; the limit is ${max}. Use a fingerprint rule instead`,
  lastHash: 'at least one hash must stay',
} as const;

/** Why a commit is suspect, or why none is. */
export const suspects = {
  reasons: {
    mapped: (file: string, frame: string) =>
      `It changed ${file}, which a code mapping matches to the file that threw (${frame}).`,
    suffix: (file: string, frame: string) => `It changed ${file}, whose path ends like the file that threw (${frame}).`,
    name: (file: string, frame: string) =>
      `It changed ${file}, the only changed file with the same name as the file that threw (${frame}).`,
  },
  inRelease: (reason: string, release: string, since: string | undefined) =>
    `${reason} It is part of ${release}, where this issue was first seen${since === undefined ? '' : `, but not of ${since}`}.`,
  noRelease: 'The first event of this issue has no release. Set `release` in the SDK to compare commits.',
  releaseDeleted: (version: string) => `The release ${version} was deleted.`,
  noFrame: "The latest event has no frame of the project's own code, or no source. Upload source maps.",
  noCommits: (release: string) =>
    `No commits are known for ${release}. Send them with: sentry-cli releases set-commits ${release} --local`,
  noFiles: (release: string) =>
    `The commits of ${release} have no list of files. Send them with: sentry-cli releases set-commits ${release} --local`,
  unchanged: (release: string, file: string) => `No commit of ${release} changed ${file}.`,
} as const;

export const attachments = {
  notStored: (name: string, why: string) => `Attachment ${name} was not stored: ${why}.`,
} as const;
