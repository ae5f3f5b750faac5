/** Where pages about performance point at. */

/** For a link to `/traces/$trace`. The moment lets the server find the trace faster. */
export const tracePlace = ({
  traceId,
  spanId,
  startUs,
}: {
  readonly traceId: string;
  readonly spanId: string;
  readonly startUs: number;
}) => ({
  params: { trace: traceId },
  search: { span: spanId, at: Math.floor(startUs / 1_000_000) },
});
