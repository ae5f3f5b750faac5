import { type ComponentProps, useState } from 'react';
import { EventChart } from '../../features/issues/EventChart.tsx';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useMay } from '../../features/session/organization.ts';
import * as m from '../../messages/event-limit.ts';
import { Button } from '../../ui/Button.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { EventLimitDialog } from './EventLimitDialog.tsx';

type Props = ComponentProps<typeof EventChart> & { readonly issue: IssueDetail };

/** Events over time, and how many of them are stored at most. */
export function NumbersChart(props: Props) {
  const { issue } = props;
  return (
    <>
      <EventChart {...props} />
      {(issue.eventLimit || issue.waitingEvents) && <LimitNote issue={issue} />}
    </>
  );
}

function LimitNote({ issue }: { readonly issue: IssueDetail }) {
  const { eventLimit: limit, waitingEvents: waiting } = issue;
  const [isOpen, setOpen] = useState(false);
  const may = useMay('event:write');
  return (
    <>
      <Text as="p" tone="faint" small>
        {limit && m.limited[limit.per]({ count: limit.events })}{' '}
        {waiting && (
          <>
            {m.waiting({ count: waiting.count })} <Time at={waiting.since} />.{' '}
          </>
        )}
        {may && limit && (
          <Button size="small" variant="ghost" onClick={() => setOpen(true)}>
            {m.change}
          </Button>
        )}
      </Text>
      {isOpen && <EventLimitDialog issue={issue} onClose={() => setOpen(false)} />}
    </>
  );
}
