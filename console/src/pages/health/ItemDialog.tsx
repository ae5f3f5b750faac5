import { useQuery } from '@tanstack/react-query';
import { itemQuery } from '../../features/intake/queries.ts';
import { KeyValues } from '../../features/event/KeyValues.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/health.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { Card } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './ItemDialog.module.css';

/** One item as it came. */
export function ItemDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const item = useQuery(itemQuery(useOrg(), id));
  return (
    <Dialog title={item.data ? m.itemOfType({ type: item.data.type }) : m.item} size="wide" onClose={onClose}>
      <div className={styles.body}>
        <QueryView query={item} loading={m.loadingItem} failed={m.itemFailed} rows={6} height={32}>
          {({ detail, headers, payload, sizeBytes }) => (
            <Stack gap={12}>
              {detail && <p translate="no">{detail}</p>}
              <Card>
                <KeyValues label={m.headers} rows={Object.entries(headers).map(([key, value]) => ({ key, value }))} />
              </Card>
              {payload === null ? (
                <Text as="p">{m.noPayload({ size: byteSize(sizeBytes) })}</Text>
              ) : (
                <>
                  <Inline align="apart">
                    <h3>{m.payload}</h3>
                    <CopyButton text={payload} label={m.copyPayload} />
                  </Inline>
                  <ScrollRegion as="pre" className={styles.payload} label={m.payload}>
                    {pretty(payload)}
                  </ScrollRegion>
                </>
              )}
            </Stack>
          )}
        </QueryView>
      </div>
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
