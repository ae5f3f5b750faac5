import type { Quota } from '../../features/quotas/queries.ts';
import { fullness, nameOf, titleOf, usedText } from '../../features/quotas/words.ts';
import * as m from '../../messages/quotas.ts';
import { Bar } from '../../ui/Bar.tsx';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** One quota: of whom, and how much of it is used, as a number and a bar. */
export function QuotaRow({
  quota,
  onEdit,
  onDelete,
}: {
  readonly quota: Quota;
  /** Undefined for who may change nothing; so is the other. */
  readonly onEdit?: (() => void) | undefined;
  readonly onDelete?: (() => void) | undefined;
}) {
  const name = nameOf(quota);
  return (
    <DataRow
      title={
        <>
          <strong>{titleOf(quota)}</strong> {!quota.hard && <Flag kind="plain">{m.soft}</Flag>}
        </>
      }
      facts={
        <Facts>
          {whose(quota)}
          {usedText(quota)}
          {quota.hard && quota.amount === 0 ? (
            m.nothing
          ) : (
            <>
              {m.again} <Time at={quota.end} />
            </>
          )}
        </Facts>
      }
      actions={
        onEdit && (
          <>
            <Button size="small" variant="ghost" aria-label={m.editOf({ name })} onClick={onEdit}>
              {m.edit}
            </Button>
            <Button size="small" variant="ghost" aria-label={m.removeOf({ name })} onClick={onDelete}>
              {m.remove}
            </Button>
          </>
        )
      }
    >
      <Bar {...fullness(quota)} />
    </DataRow>
  );
}

function whose({ project, key }: Quota): string {
  if (!project) return m.ofAll;
  if (!key) return m.ofProject({ project: project.slug });
  return m.ofKey({ key: key.label, project: project.slug });
}
