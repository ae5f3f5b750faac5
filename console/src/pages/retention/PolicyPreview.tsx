import { useQuery } from '@tanstack/react-query';
import { projectRetentionPreviewQuery, type ProjectRetentionUpdate } from '../../features/retention/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/retention.ts';
import { Text } from '../../ui/Text.tsx';
import { RowsDeleted } from './RowsDeleted.tsx';

/** What other policies would delete of a project. */
export function PolicyPreview({
  project,
  update,
}: {
  readonly project: string;
  readonly update: ProjectRetentionUpdate;
}) {
  const { data } = useQuery(projectRetentionPreviewQuery(useOrg(), project, update));
  if (!data) return <Text>{m.previewing}</Text>;
  return <RowsDeleted classes={data.classes} />;
}
