import { useQuery } from '@tanstack/react-query';
import { DownloadIcon, FileIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './Attachments.module.css';
import { type Attachment, type AttachmentOwner, attachmentTextQuery, bytesAddress, maxShown } from './queries.ts';

/** Images as pictures, text and JSON to be read here, everything else to be stored. What they hold never runs. */
export function Attachments({
  owner,
  attachments,
}: {
  readonly owner: AttachmentOwner;
  readonly attachments: readonly Attachment[];
}) {
  const [shown, setShown] = useState<Attachment>();
  const stored = attachments.filter((attachment) => attachment.notStored === null);
  return (
    <>
      {attachments.map(
        (attachment) =>
          attachment.notStored !== null && (
            <p key={attachment.id} className={styles.refused}>
              {attachment.notStored}
            </p>
          ),
      )}
      <ul className={styles.list}>
        {stored.map((attachment) => (
          <li key={attachment.id} className={styles.item}>
            {attachment.kind === 'other' ? (
              <span className={styles.picture}>
                <FileIcon size={20} aria-hidden="true" />
              </span>
            ) : (
              <button
                type="button"
                className={styles.picture}
                aria-label={`Show ${attachment.name}`}
                onClick={() => setShown(attachment)}
              >
                {attachment.kind === 'image' ? (
                  <Picture owner={owner} attachment={attachment} />
                ) : (
                  <FileIcon size={20} aria-hidden="true" />
                )}
              </button>
            )}
            <span className={styles.what}>
              <span className={styles.name} title={attachment.name}>
                {attachment.name}
              </span>
              <span className={styles.size}>{byteSize(attachment.size)}</span>
            </span>
            <a
              className={styles.download}
              href={bytesAddress(owner, attachment.id, 'download')}
              download={attachment.name}
              aria-label={`Download ${attachment.name}`}
              data-tip="Download"
            >
              <DownloadIcon size={14} aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog title={shown.name} size="wide" onClose={() => setShown(undefined)}>
          {shown.kind === 'image' ? (
            <div className={styles.large}>
              <Picture owner={owner} attachment={shown} />
            </div>
          ) : (
            <Text owner={owner} attachment={shown} />
          )}
        </Dialog>
      )}
    </>
  );
}

/** What says that it is an image and is none shows nothing but its name. */
function Picture({ owner, attachment }: { readonly owner: AttachmentOwner; readonly attachment: Attachment }) {
  const [broken, setBroken] = useState(false);
  return broken ? (
    <span className={styles.broken}>No picture that can be shown</span>
  ) : (
    <img
      src={bytesAddress(owner, attachment.id, 'show')}
      alt={attachment.name}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}

function Text({ owner, attachment }: { readonly owner: AttachmentOwner; readonly attachment: Attachment }) {
  const { data, error, refetch, isPending } = useQuery(attachmentTextQuery(owner, attachment));
  if (isPending) return <Skeleton rows={6} height={18} label={`Loading ${attachment.name}`} />;
  if (data === undefined)
    return <ErrorState error={error} retry={() => void refetch()} what={`${attachment.name} could not be loaded`} />;
  return (
    <ScrollRegion className={styles.text} label={attachment.name}>
      <pre>{data.slice(0, maxShown)}</pre>
      {data.length > maxShown && <p>The rest is in the download.</p>}
    </ScrollRegion>
  );
}
