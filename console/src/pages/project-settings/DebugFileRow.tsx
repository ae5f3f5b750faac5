import type { DebugFile } from '../../features/source-maps/queries.ts';
import * as m from '../../messages/project-settings.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { DeleteIcon } from '../../ui/icons.ts';
import { byteSize } from '../../ui/numbers.ts';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** A debug file: what it is, what it is used for, and what is wrong with it. */
export function DebugFileRow({
  file: { symbolType, debugId, objectName, state, detail, size, entries, framesResolved, dateModified },
  onDelete,
}: {
  readonly file: DebugFile;
  readonly onDelete: (() => void) | undefined;
}) {
  const id = debugId || objectName;
  const isRead = state === 'ok' && entries > 0;
  return (
    <DataRow
      title={
        <>
          {m.debugFileKinds[symbolType]} <code>{id}</code>
        </>
      }
      facts={
        <>
          <Facts>
            {isRead && symbolType !== 'unknown' && m.debugFileEntries[symbolType]({ count: entries })}
            {(state === 'created' || state === 'assembling') && m.debugFileIndexing}
            {byteSize(size)}
            {state === 'ok' && m.debugFileFrames({ count: framesResolved })}
            {m.debugFileUploaded({ when: <Time at={dateModified} /> })}
          </Facts>
          {detail && (
            <Text as="p" tone="error" small>
              {detail}
            </Text>
          )}
        </>
      }
      actions={
        onDelete && (
          <Button
            size="small"
            icon={<DeleteIcon size={14} />}
            aria-label={m.deleteDebugFileOf({ id })}
            tip={m.deleteDebugFile}
            onClick={onDelete}
          />
        )
      }
    />
  );
}
