import type { ReactNode } from 'react';
import type { Mirror, MirrorTest, ProjectMirror } from '../../features/projects/mirror.ts';
import * as m from '../../messages/mirror.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { duration } from '../../ui/durations.ts';
import { Flag } from '../../ui/Flag.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { byteSize, exactNumber } from '../../ui/numbers.ts';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** A mirror with its counts, what is wrong with it, and what a test said. */
export function MirrorRow({
  mirror,
  limits,
  tested,
  busy,
  editing,
  onTest,
  onToggle,
  onEdit,
  onRemove,
  children,
}: {
  readonly mirror: Mirror;
  readonly limits: Pick<ProjectMirror, 'maxBytes' | 'maxHours'>;
  readonly tested: MirrorTest | undefined;
  readonly busy: 'toggle' | 'test' | undefined;
  readonly editing: boolean;
  /** What the reader may not do is undefined. */
  readonly onTest: (() => void) | undefined;
  readonly onToggle: (() => void) | undefined;
  readonly onEdit: (() => void) | undefined;
  readonly onRemove: (() => void) | undefined;
  readonly children?: ReactNode;
}) {
  const { forwarded, refused, dropped, waiting, waitingBytes, lagMs } = mirror;
  const hasMore = mirror.failingSince || mirror.lastRefused || mirror.lastDropped || tested || children;
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{mirror.target ?? m.lostDsn}</strong> {!mirror.enabled && <Flag kind="disabled" />}
        </>
      }
      facts={
        <Facts>
          {m.forwarded({ number: exactNumber(forwarded) })}
          {mirror.lastForwarded && m.last({ when: <Time at={mirror.lastForwarded} /> })}
          {waiting ? m.waiting({ number: exactNumber(waiting), bytes: byteSize(waitingBytes) }) : m.nothingWaits}
          {lagMs !== null && m.lag({ duration: duration(lagMs * 1000) })}
          {refused > 0 && m.refused({ number: exactNumber(refused) })}
          {dropped > 0 && m.dropped({ number: exactNumber(dropped) })}
        </Facts>
      }
      actions={
        <>
          {onTest && (
            <Button size="small" variant="ghost" busy={busy === 'test'} onClick={onTest}>
              {m.test}
            </Button>
          )}
          {onToggle && (
            <Button size="small" variant="ghost" busy={busy === 'toggle'} onClick={onToggle}>
              {mirror.enabled ? m.pause : m.resume}
            </Button>
          )}
          {onEdit && (
            <Button size="small" variant="ghost" aria-expanded={editing} onClick={onEdit}>
              {m.change}
            </Button>
          )}
          {onRemove && (
            <Button size="small" variant="ghost" onClick={onRemove}>
              {m.remove}
            </Button>
          )}
        </>
      }
    >
      {hasMore && (
        <Stack gap={8}>
          <Troubles mirror={mirror} limits={limits} />
          {tested && (
            <Notice tone={tested.accepted ? 'ok' : 'warning'} says="status">
              {tested.accepted
                ? m.testAccepted({ event: tested.eventId })
                : m.testRefused({ answer: <span translate="no">{tested.answer}</span> })}
            </Notice>
          )}
          {children}
        </Stack>
      )}
    </DataRow>
  );
}

function Troubles({
  mirror,
  limits,
}: {
  readonly mirror: Mirror;
  readonly limits: Pick<ProjectMirror, 'maxBytes' | 'maxHours'>;
}) {
  const { failingSince, problem, nextAttempt, lastRefused, refusal, lastDropped } = mirror;
  return (
    <>
      {failingSince && problem && (
        <Notice tone="warning">
          {m.failing({ since: <Time at={failingSince} />, reason: <span translate="no">{problem}</span> })}{' '}
          {nextAttempt && m.nextAttempt({ when: <Time at={nextAttempt} /> })}
        </Notice>
      )}
      {lastRefused && refusal && (
        <Text as="p" small>
          {m.refusal({ when: <Time at={lastRefused} />, answer: <span translate="no">{refusal}</span> })}
        </Text>
      )}
      {lastDropped && (
        <Text as="p" small>
          {m.droppedNote({
            when: <Time at={lastDropped} />,
            hours: String(limits.maxHours),
            bytes: byteSize(limits.maxBytes),
          })}
        </Text>
      )}
    </>
  );
}
