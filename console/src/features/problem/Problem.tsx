import { useQuery } from '@tanstack/react-query';
import { AdviceIcon } from '../../ui/icons.ts';
import type { Event } from '../event/types.ts';
import { KeyValues } from '../event/KeyValues.tsx';
import { useOrg } from '../session/organization.ts';
import { Nearby } from '../trace-excerpt/Nearby.tsx';
import { traceExcerptQuery } from '../trace-excerpt/queries.ts';
import { OpenTrace, TraceHead } from '../trace-excerpt/TraceHead.tsx';
import { TraceRows } from '../trace-excerpt/TraceRows.tsx';
import { differingValues } from '../trace-excerpt/words.ts';
import { duration } from '../../ui/durations.ts';
import { Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Nothing } from '../../ui/Text.tsx';
import * as m from '../../messages/problem.ts';
import { occurrenceOf, telling } from './evidence.ts';
import styles from './Problem.module.css';
import { Statement } from './Statement.tsx';
import { problemAdvice, problemSentence } from './words.ts';

/** So many rows show a repetition without hiding what is around it. */
const rows = 16;

/** A performance problem in the place of a stack trace: what is wrong, how to fix it, the evidence, and where it happened. */
export function Problem({ event }: { readonly event: Event }) {
  const { type, display, evidence } = occurrenceOf(event);
  const { traceId, offenders, causes, parents, transaction, durationUs } = evidence;
  const org = useOrg();
  const excerpt = useQuery({
    ...traceExcerptQuery(org, {
      trace: traceId,
      event: event.eventID,
      spans: [...offenders.slice(0, 10), ...causes.slice(0, 5), ...parents.slice(0, 5)],
      at: Math.floor(Date.parse(event.dateCreated) / 1000),
      rows,
    }),
    enabled: traceId !== '',
  });
  const known = new Set(offenders);
  const roles = new Map([
    ...causes.map((id) => [id, 'cause'] as const),
    ...offenders.map((id) => [id, 'asked'] as const),
  ]);
  const values = differingValues((excerpt.data?.rows ?? []).filter(({ id }) => known.has(id)).map(({ name }) => name));
  return (
    <Stack gap={24}>
      <Panel title={m.title} id="problem">
        <div className={styles.words}>
          <p className={styles.sentence}>{problemSentence({ type, offenders: offenders.length, transaction })}</p>
          <p className={styles.advice}>
            <AdviceIcon size={16} aria-hidden="true" />
            <span>{problemAdvice(type)}</span>
          </p>
        </div>
      </Panel>
      <Panel title={m.evidence} id="evidence">
        <KeyValues
          label={m.evidence}
          rows={[
            ...telling(display, [transaction]).map(({ name, value }) => ({
              key: name,
              value,
              shown: <Statement text={value} label={name} />,
            })),
            ...(durationUs === undefined ? [] : [{ key: m.totalTime, value: duration(durationUs), ours: true }]),
            ...(values.length > 0 ? [{ key: m.differing, value: values.join(', '), ours: true }] : []),
          ]}
        />
      </Panel>
      {traceId !== '' && (
        <Panel
          title={m.where}
          id="trace"
          tools={excerpt.data && <OpenTrace excerpt={excerpt.data} span={offenders[0]} problem={event.eventID} />}
        >
          <QueryView query={excerpt} loading={m.loading} failed={m.failed} rows={10} height={28}>
            {(data) => (
              <>
                <TraceHead excerpt={data} />
                {data.rows.length > 0 ? (
                  <TraceRows excerpt={data} label={m.where} problem={event.eventID} roles={roles} />
                ) : (
                  <Nothing>{m.spansGone}</Nothing>
                )}
              </>
            )}
          </QueryView>
        </Panel>
      )}
      {excerpt.data && <Nearby excerpt={excerpt.data} />}
    </Stack>
  );
}
