import type { ReleaseListPage } from '../../features/releases/queries.ts';
import * as m from '../../messages/releases.ts';
import { Notice } from '../../ui/Notice.tsx';

/** Events, which anyone with a public key can send, named more than there is room for. */
export function LeftOut({ leftOut: { releases, environments } }: Pick<ReleaseListPage, 'leftOut'>) {
  if (!releases && !environments) return null;
  return (
    <Notice tone="warning" says="status">
      {releases > 0 && <p>{m.leftOutReleases({ count: releases })}</p>}
      {environments > 0 && <p>{m.leftOutEnvironments({ count: environments })}</p>}
      <p>{m.leftOutHint}</p>
    </Notice>
  );
}
