/** What became of each issue between two releases: by its events, and by how much there was of either. Pure. */

export interface IssueCounts {
  readonly issueId: number;
  /** Events in the one release and in the other. */
  readonly before: number;
  readonly after: number;
}

export interface JudgedIssue extends IssueCounts {
  /** How much more often it happens; undefined where either has none of it, or nothing to count it against. */
  readonly factor: number | undefined;
}

export interface Judged {
  /** The most events first. */
  readonly new: readonly JudgedIssue[];
  readonly gone: readonly JudgedIssue[];
  /** The greatest change first. */
  readonly worse: readonly JudgedIssue[];
  readonly better: readonly JudgedIssue[];
}

/** What events are counted against: as many sessions, requests or hours there were of each release. */
export interface Exposure {
  readonly before: number;
  readonly after: number;
}

/** Less is no change worth a look. */
const leastFactor = 1.5;
/** Standard deviations: once in a hundred issues by chance. */
const leastDeviation = 2.5;

export function judge(issues: readonly IssueCounts[], exposure: Exposure): Judged {
  const judged = issues.map((issue) => ({ ...issue, factor: factorOf(issue, exposure) }));
  const both = judged.filter(({ before, after }) => before > 0 && after > 0);
  const changed = both.filter((issue) => Math.abs(deviationOf(issue, exposure)) >= leastDeviation);
  const by = (value: (issue: JudgedIssue) => number) => (a: JudgedIssue, b: JudgedIssue) =>
    value(b) - value(a) || a.issueId - b.issueId;
  return {
    new: judged.filter(({ before, after }) => before === 0 && after > 0).toSorted(by(({ after }) => after)),
    gone: judged.filter(({ before, after }) => before > 0 && after === 0).toSorted(by(({ before }) => before)),
    worse: changed.filter(({ factor = 0 }) => factor >= leastFactor).toSorted(by(({ factor = 0 }) => factor)),
    better: changed
      .filter(({ factor = Infinity }) => factor <= 1 / leastFactor)
      .toSorted(by(({ factor = Infinity }) => -factor)),
  };
}

function factorOf({ before, after }: IssueCounts, exposure: Exposure): number | undefined {
  if (before === 0 || after === 0 || !(exposure.before > 0 && exposure.after > 0)) return undefined;
  return after / exposure.after / (before / exposure.before);
}

/** How far the events after are from their share, were both releases alike; the sign says in which direction. */
function deviationOf({ before, after }: IssueCounts, exposure: Exposure): number {
  const events = before + after;
  const share = exposure.after / (exposure.before + exposure.after);
  const spread = Math.sqrt(events * share * (1 - share));
  return spread > 0 ? (after - events * share) / spread : 0;
}
