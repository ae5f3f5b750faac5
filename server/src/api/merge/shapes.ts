/** Merged issues as the API gives them. */
import type { z } from 'zod';
import type { CountEstimate, IssueMerge, IssueRow } from '../../domains/issues/index.ts';
import type { IssueRef, listIssueMerges } from './contract.ts';
import { type IssuePlace, permalinkOf, shortIdOf } from '../issues/shapes.ts';
import { iso } from '../shared/read.ts';

export const toIssueRef = (issue: IssueRow, place: IssuePlace): z.output<typeof IssueRef> => ({
  id: String(issue.id),
  shortId: shortIdOf(issue, place.project),
  title: issue.title,
  permalink: permalinkOf(issue, place),
});

export const toIssueMerge = (
  { issue, mergedAt, by, hashes, events }: IssueMerge,
  estimate: CountEstimate | undefined,
  place: IssuePlace,
): z.output<typeof listIssueMerges.response>[number] => ({
  issue: toIssueRef(issue, place),
  mergedAt: iso(mergedAt),
  by,
  hashes: hashes.length,
  events,
  estimated: estimate ?? null,
});
