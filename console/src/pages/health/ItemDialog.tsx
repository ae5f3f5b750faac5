import { useQuery } from '@tanstack/react-query';
import { itemQuery } from '../../features/intake/queries.ts';
import { KeyValues } from '../../features/event/KeyValues.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './ItemDialog.module.css';

/** One item as it came. */
export function ItemDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const item = useQuery(itemQuery(useOrg(), id));
  return (
    <Dialog title={item.data ? `${item.data.type} item` : 'Item'} size="wide" onClose={onClose}>
      {item.isPending ? (
        <Skeleton rows={6} height={32} />
      ) : item.isError ? (
        <ErrorState error={item.error} retry={() => void item.refetch()} />
      ) : (
        <div className={styles.body}>
          {item.data.detail && <p>{item.data.detail}</p>}
          <div className={styles.box}>
            <KeyValues
              label="Headers"
              rows={Object.entries(item.data.headers).map(([key, value]) => ({ key, value }))}
            />
          </div>
          {item.data.payload === null ? (
            <p className={styles.note}>
              The payload is binary or larger than 1 MB ({byteSize(item.data.sizeBytes)}) and not shown.
            </p>
          ) : (
            <>
              <div className={styles.head}>
                <h3>Payload</h3>
                <CopyButton text={item.data.payload} label="Copy payload" />
              </div>
              <ScrollRegion as="pre" className={styles.payload} label="Payload">
                {pretty(item.data.payload)}
              </ScrollRegion>
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** Indented where it is JSON, as it came where it is not. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
