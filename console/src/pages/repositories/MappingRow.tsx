import type { CodeMapping } from '../../features/repositories/queries.ts';
import * as m from '../../messages/repositories.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { BecomesIcon } from '../../ui/icons.ts';
import { Inline } from '../../ui/Layout.tsx';
import { Facts } from '../../ui/Text.tsx';

/** A beginning of paths, or what stands for an empty one. */
export const Path = ({ path, empty }: { readonly path: string; readonly empty: string }) =>
  path ? <code>{path}</code> : <span>{empty}</span>;

export function MappingRow({
  mapping: { stackRoot, sourceRoot, projectSlug, repoName, defaultBranch },
  mayChange = true,
  deleting,
  onEdit,
  onDelete,
}: {
  readonly mapping: Pick<CodeMapping, 'stackRoot' | 'sourceRoot' | 'projectSlug' | 'repoName' | 'defaultBranch'>;
  readonly mayChange?: boolean;
  readonly deleting: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const path = stackRoot || m.anyPath;
  return (
    <DataRow
      title={
        <Inline>
          <Path path={stackRoot} empty={m.anyPath} />
          <BecomesIcon size={14} aria-label={m.becomes} />
          <Path path={sourceRoot} empty={m.root} />
        </Inline>
      }
      facts={
        <Facts>
          {m.mappingIn({ project: projectSlug, repository: repoName })}
          {defaultBranch && m.branchOf({ branch: defaultBranch })}
        </Facts>
      }
      actions={
        mayChange && (
          <>
            <Button size="small" variant="ghost" aria-label={m.editMapping({ path })} onClick={onEdit}>
              {m.edit}
            </Button>
            <Button
              size="small"
              variant="ghost"
              aria-label={m.removeMapping({ path })}
              busy={deleting}
              onClick={onDelete}
            >
              {m.remove}
            </Button>
          </>
        )
      }
    />
  );
}
