/** Releases in which an issue began and was seen last, as marks on its chart. Pure. */
import * as m from '../../messages/charts.ts';
import type { ChartMark } from '../charts/marks.ts';
import type { IssueDetail } from './queries.ts';

/** By the time of their release, where it is known; one that is both stands once. */
export function releaseMarks({
  firstRelease,
  lastRelease,
}: Pick<IssueDetail, 'firstRelease' | 'lastRelease'>): readonly ChartMark[] {
  const marks = [firstRelease, lastRelease].flatMap((release): ChartMark[] => {
    const at = Date.parse(release?.dateReleased ?? release?.dateCreated ?? '');
    if (!release || !Number.isFinite(at)) return [];
    const { version, shortVersion } = release;
    return [{ at: at / 1000, version, label: shortVersion, detail: m.release({ version }) }];
  });
  return marks.filter(({ version }, index) => marks.findIndex((other) => other.version === version) === index);
}
