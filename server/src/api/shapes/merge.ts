/** Merged issues as the API gives them. */
import type { z } from 'zod';
import type { IssueMerge, IssueRow } from '../../issues/index.ts';
import type { IssueRef, listIssueMerges } from '../contract/merge.ts';
import { type IssuePlace, permalinkOf, shortIdOf } from './issue.ts';
import { iso } from './read.ts';

export const toIssueRef = (issue: IssueRow, place: IssuePlace): z.output<typeof IssueRef> => ({
  id: String(issue.id),
  shortId: shortIdOf(issue, place.project),
  title: issue.title,
  permalink: permalinkOf(issue, place),
});

export const toIssueMerge = (
  { issue, mergedAt, by, hashes, events }: IssueMerge,
  place: IssuePlace,
): z.output<typeof listIssueMerges.response>[number] => ({
  issue: toIssueRef(issue, place),
  mergedAt: iso(mergedAt),
  by,
  hashes,
  events,
});
