/** Where pages about performance point at. */
import { lasting } from '../filters/filters.ts';
import { chosen } from '../filters/travel.ts';
import type { TransactionSearch } from './search.ts';

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

/** The same transaction over the longest time, in all environments. A project that was chosen stays chosen. */
export const inLongestTime = ({ of, transaction, op, project, elsewhere }: TransactionSearch) => ({
  ...chosen({ project, elsewhere }, { environment: undefined, ...lasting('90d') }),
  of,
  transaction,
  op,
});
