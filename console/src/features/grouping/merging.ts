/** Which issue stays when several are merged, and the words for it. Pure. */
import * as m from '../../messages/merging.ts';

export interface Mergeable {
  readonly id: string;
  readonly shortId: string;
  readonly project: { readonly id: string };
  readonly lifetime: { readonly count: string; readonly firstSeen: string };
}

/** The one with most events in its whole life stays; among equals the oldest. */
export function mergeTarget<T extends Mergeable>(issues: readonly T[]): T | undefined {
  return issues.toSorted(
    (a, b) =>
      Number(b.lifetime.count) - Number(a.lifetime.count) ||
      Date.parse(a.lifetime.firstSeen) - Date.parse(b.lifetime.firstSeen),
  )[0];
}

/** Why these cannot become one; undefined when they can. */
export function mergeRefusal(issues: readonly Mergeable[]): string | undefined {
  if (issues.length < 2) return m.select;
  if (issues.some(({ project }) => project.id !== issues[0]?.project.id)) return m.otherProject;
  return undefined;
}

/** `WEB-5 merged into WEB-3`, `4 issues merged into WEB-3`. */
export function mergedWords(children: readonly { readonly shortId: string }[], into: string): string {
  const [only] = children;
  return only && children.length === 1
    ? m.merged({ issue: only.shortId, into })
    : m.mergedMany({ count: children.length, into });
}
