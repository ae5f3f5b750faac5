/** Traces of a list as the API gives them. */
import type { Project } from '../../domains/projects/index.ts';
import type { ListedTrace, MatchedSegment, TraceRoot } from '../../domains/traces/index.ts';
import { toProject } from '../performance/shapes.ts';

function toSegment(segment: MatchedSegment | TraceRoot, projects: readonly Project[]) {
  const { spanId, projectId, startUs, durationUs, op, transaction, service, status, failed } = segment;
  return {
    spanId,
    project: toProject(projects, projectId),
    startUs,
    durationMs: durationUs / 1000,
    op,
    transaction,
    service,
    status,
    failed,
  };
}

export function toListedTrace({ match, summary }: ListedTrace, projects: readonly Project[]) {
  const { startUs, endUs, spans, senders, segments, failedSegments, errors } = summary ?? {
    startUs: match.startUs,
    endUs: match.startUs + match.durationUs,
    spans: 0,
    senders: [],
    segments: 0,
    failedSegments: 0,
    errors: 0,
  };
  return {
    traceId: match.traceId,
    root: summary ? toSegment(summary.root, projects) : null,
    rootMissing: summary?.root.isRoot === false,
    match: toSegment(match, projects),
    startUs,
    durationMs: (endUs - startUs) / 1000,
    spans,
    services: [
      ...new Set(senders.map(({ projectId, service }) => service || toProject(projects, projectId).slug)),
    ].toSorted(),
    segments,
    failedSegments,
    errors,
  };
}
