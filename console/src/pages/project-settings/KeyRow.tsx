import type { ReactNode } from 'react';
import type { ProjectKey } from '../../features/projects/queries.ts';
import * as m from '../../messages/project-settings.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { exactNumber, withUnit } from '../../ui/numbers.ts';
import { Facts, Nothing } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

export const nameOf = ({ label, name }: Pick<ProjectKey, 'label' | 'name'>): string => label || name;

/** Periods of a rate limit that have a name, by their seconds. */
export const windows: readonly (readonly [seconds: number, name: string])[] = [
  [60, m.windows.minute],
  [3600, m.windows.hour],
  [86_400, m.windows.day],
];

/** A key with its DSN; what it unfolds stands below. */
export function KeyRow({
  projectKey: key,
  editing,
  toggling,
  onEdit,
  onToggle,
  onDelete,
  children,
}: {
  readonly projectKey: Pick<ProjectKey, 'label' | 'name' | 'isActive' | 'dateCreated' | 'rateLimit' | 'dsn'>;
  readonly editing: boolean;
  readonly toggling: boolean;
  /** What the reader may not do is undefined. */
  readonly onEdit: (() => void) | undefined;
  readonly onToggle: (() => void) | undefined;
  readonly onDelete: (() => void) | undefined;
  readonly children?: ReactNode;
}) {
  const { rateLimit } = key;
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{nameOf(key)}</strong> {!key.isActive && <Flag kind="disabled" />}
        </>
      }
      facts={
        <Facts>
          {m.created({ when: <Time at={key.dateCreated} /> })}
          {rateLimit &&
            m.limit({
              limit: exactNumber(rateLimit.count),
              window: windows.find(([seconds]) => seconds === rateLimit.window)?.[1] ?? withUnit(rateLimit.window, 's'),
            })}
        </Facts>
      }
      actions={
        <>
          {onEdit && (
            <Button size="small" variant="ghost" aria-expanded={editing} onClick={onEdit}>
              {m.edit}
            </Button>
          )}
          {onToggle && (
            <Button size="small" variant="ghost" busy={toggling} onClick={onToggle}>
              {key.isActive ? m.disable : m.enable}
            </Button>
          )}
          {onDelete && (
            <Button size="small" variant="ghost" onClick={onDelete}>
              {m.remove}
            </Button>
          )}
        </>
      }
    >
      <Stack gap={12}>
        <CopyLine text={key.dsn.public} label={m.copyDsn({ key: nameOf(key) })} />
        {key.dsn.aliases.length > 0 && <Nothing>{m.earlierDsns}</Nothing>}
        {key.dsn.aliases.map((dsn) => (
          <CopyLine key={dsn} text={dsn} label={m.copyEarlierDsn({ key: nameOf(key) })} />
        ))}
        {children}
      </Stack>
    </DataRow>
  );
}
