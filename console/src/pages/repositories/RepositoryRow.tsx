import type { Repository } from '../../features/repositories/queries.ts';
import * as m from '../../messages/repositories.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Facts } from '../../ui/Text.tsx';

export function RepositoryRow({
  repository: { name, url, defaultBranch, configured },
  mayChange = true,
  onEdit,
  onDelete,
}: {
  readonly repository: Pick<Repository, 'name' | 'url' | 'defaultBranch' | 'configured'>;
  readonly mayChange?: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{name}</strong> {!configured && <Flag kind="plain">{m.fromCommits}</Flag>}
        </>
      }
      facts={
        <Facts>
          {url ? <span translate="no">{url}</span> : m.noUrl}
          {defaultBranch && m.branchOf({ branch: defaultBranch })}
        </Facts>
      }
      actions={
        mayChange && (
          <>
            <Button size="small" variant="ghost" aria-label={m.editOf({ name })} onClick={onEdit}>
              {configured ? m.edit : m.setUp}
            </Button>
            <Button size="small" variant="ghost" aria-label={m.removeOf({ name })} onClick={onDelete}>
              {m.remove}
            </Button>
          </>
        )
      }
    />
  );
}
