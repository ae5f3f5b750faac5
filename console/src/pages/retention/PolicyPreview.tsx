import { useQuery } from '@tanstack/react-query';
import { projectRetentionPreviewQuery, type ProjectRetentionUpdate } from '../../features/retention/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/retention.ts';
import { Text } from '../../ui/Text.tsx';
import { deletesText } from './words.ts';

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
  const going = data.classes.filter(({ freedRows }) => freedRows > 0);
  return (
    <div role="status">
      {going.length === 0 && <Text>{m.deletesNothing}</Text>}
      {going.map((one) => (
        <Text key={one.name} as="p" tone="warning">
          {deletesText(one)}
        </Text>
      ))}
    </div>
  );
}
