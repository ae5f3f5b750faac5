import { Link } from '@tanstack/react-router';
import type { QueryDetails } from '../../features/performance/database-queries.ts';
import { milliseconds, rate, share as shareText } from '../../features/performance/words.ts';
import * as m from '../../messages/database-query.ts';
import { measures } from '../../messages/performance.ts';
import { Stat, Stats } from '../../ui/KeyValue.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Facts } from '../../ui/Text.tsx';

/** What is measured of it. */
export function Numbers({ details }: { readonly details: QueryDetails }) {
  const { id, project, system, service, count, share } = details;
  const figures = [
    [m.count, rate(details.perMinute)],
    [measures.p50, milliseconds(details.p50Ms)],
    [measures.p75, milliseconds(details.p75Ms)],
    [measures.p95, milliseconds(details.p95Ms)],
    [measures.p99, milliseconds(details.p99Ms)],
    [m.failure, shareText(details.failureRate)],
    [measures.total, milliseconds(details.totalMs)],
  ] as const;
  return (
    <section aria-label={m.summary}>
      <Stack gap={8}>
        <Facts>
          {m.about({ count, project: project.slug })}
          {system && <code>{system}</code>}
          {service && <span translate="no">{service}</span>}
          {share !== null && m.estimated({ share: shareText(share) })}
          <Link
            to="/explore"
            search={{ project: project.slug, dataset: 'spans', tab: 'samples', query: `span.group:${id}` }}
          >
            {m.explore}
          </Link>
        </Facts>
        <Stats>
          {figures.map(([name, value]) => (
            <Stat key={name} name={name}>
              {value}
            </Stat>
          ))}
        </Stats>
      </Stack>
    </section>
  );
}
