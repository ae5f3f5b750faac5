import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CloseIcon, DownloadIcon } from '../../ui/icons.ts';
import { exportSentence } from '../../features/explore/export-words.ts';
import { cancelExport, downloadPath, exportQuery, isUnderWay } from '../../features/explore/export-queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/explore-export.ts';
import { Button, buttonClass, IconButton } from '../../ui/Button.tsx';
import { describeError, ErrorState } from '../../ui/State.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './ExplorePage.module.css';

/** How far an export is, and its file once it is there. */
export function ExportState({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const org = useOrg();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(exportQuery(org, id));
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} what={m.exportLost} /> : null;
  const running = isUnderWay(data);
  const cancel = async (): Promise<void> => {
    try {
      await cancelExport(org, id);
      await queries.cancelQueries({ queryKey: exportQuery(org, id).queryKey });
      toast(m.exportCancelled);
      onClose();
    } catch (failure) {
      toast(m.cancelFailed({ reason: describeError(failure).message }), { kind: 'failed' });
    }
  };
  return (
    <section className={styles.export} aria-label={m.exportLabel}>
      <output>{exportSentence(data)}</output>
      {running && <progress aria-label={m.exportLabel} value={data.progress} max={1} />}
      {running && (
        <Button size="small" onClick={() => void cancel()}>
          {m.cancel}
        </Button>
      )}
      {data.status === 'done' && (
        <a href={downloadPath(org, id)} download={data.fileName} className={buttonClass('primary', 'small')}>
          <DownloadIcon size={14} /> {m.download}
        </a>
      )}
      {!running && <IconButton size="small" label={m.close} icon={<CloseIcon size={14} />} onClick={onClose} />}
    </section>
  );
}
