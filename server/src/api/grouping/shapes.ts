/** How events are grouped and would be, as the API gives it. */
import type { z } from 'zod';
import type { IssueRow } from '../../domains/issues/index.ts';
import type { GroupedEvent } from '../../process/steps/group/index.ts';
import type { GroupingComponent } from '../../process/types.ts';
import { fingerprintOf, type MatchedRule, type Preview } from '../../domains/regroup/index.ts';
import type { getGroupingInfo, getGroupingPreview } from './contract.ts';
import type { GroupingNode } from '../issues/parts-contract.ts';
import type { IssuePlace } from '../issues/shapes.ts';
import { toIssueRef } from '../merge/shapes.ts';

type GroupingInfo = z.output<typeof getGroupingInfo.response>;

/** Each component that makes a hash with it, in the order in which they are looked up; then what makes none. */
function toVariants(tree: readonly GroupingComponent[], hashes: readonly string[]): GroupingInfo['variants'] {
  const [first] = tree;
  const byFingerprint = tree.length === 1 && first?.id === 'fingerprint';
  let next = 0;
  return tree.map((component) => {
    const makes = component.contributes && (byFingerprint || component.id !== 'fingerprint');
    const hash = makes ? (hashes[next++] ?? null) : null;
    return {
      key: component.id,
      hash,
      contributes: component.contributes,
      primary: hash !== null && hash === hashes[0],
      component: component as GroupingNode,
    };
  });
}

export function toGroupingInfo(
  eventId: string,
  { grouping }: GroupedEvent,
  stored: { readonly version: string; readonly hashes: readonly string[] },
  rules: readonly MatchedRule[],
): GroupingInfo {
  const { version, basis, hashes, tree } = grouping;
  return {
    eventId,
    version,
    basis,
    hashes: [...hashes],
    fingerprint: fingerprintOf(tree),
    variants: toVariants(tree, hashes),
    rules: [...rules],
    stored: { version: stored.version, hashes: [...stored.hashes], same: hashes[0] === stored.hashes[0] },
  };
}

/** Issues that are gone meanwhile are left out. */
export function toPreview(
  { id, status, progress, detail, about: { problems }, result }: Preview,
  issues: ReadonlyMap<number, IssueRow>,
  place: IssuePlace,
): z.output<typeof getGroupingPreview.response> {
  const refOf = (issueId: number) => {
    const issue = issues.get(issueId);
    return issue ? [toIssueRef(issue, place)] : [];
  };
  const shown = { id, status, progress, detail };
  if (!result) return shown;
  const { examined, merges, splits, unchanged } = result;
  return {
    ...shown,
    result: {
      examined: { ...examined },
      problems: [...problems],
      merges: merges.map((merge) => ({
        into: merge.into === null ? null : (refOf(merge.into)[0] ?? null),
        title: merge.title,
        issues: merge.issues.flatMap(({ issueId, events }) => refOf(issueId).map((issue) => ({ issue, events }))),
      })),
      splits: splits.flatMap(({ issueId, parts }) =>
        refOf(issueId).map((issue) => ({
          issue,
          parts: parts.map((part) => ({ ...part, fingerprint: part.fingerprint && [...part.fingerprint] })),
        })),
      ),
      unchanged,
    },
  };
}
