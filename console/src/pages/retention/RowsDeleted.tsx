import * as m from '../../messages/retention.ts';
import { Text } from '../../ui/Text.tsx';
import { deletesText } from './words.ts';

type Freed = Parameters<typeof deletesText>[0];

/** What a change of policies deletes, a line for each class; or that it deletes nothing. */
export function RowsDeleted({ classes }: { readonly classes: readonly Freed[] }) {
  const going = classes.filter(({ freedRows }) => freedRows > 0);
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
