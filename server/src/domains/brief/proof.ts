/** What would prove that it is repaired. */
import { brief as texts } from '../../base/texts/brief.ts';
import type { BriefFailure, BriefIssue, BriefReleases, BriefReproduction } from './types.ts';

export function proofOf(
  issue: BriefIssue,
  failure: BriefFailure | null,
  reproduce: BriefReproduction,
  releases: BriefReleases,
): readonly string[] {
  return [
    ...(reproduce.playwright ? [texts.proof.playwright] : []),
    ...(reproduce.curl ? [texts.proof.curl] : []),
    ...(failure?.own ? [failure.variables.length ? texts.proof.callWithValues : texts.proof.call] : []),
    texts.proof.release(issue.shortId, releases.last !== null),
    texts.proof.resolve(issue.shortId),
  ];
}
