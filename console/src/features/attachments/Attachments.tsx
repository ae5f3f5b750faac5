import { useQuery } from '@tanstack/react-query';
import { DownloadIcon, FileIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { buttonClass } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import * as m from '../../messages/attachments.ts';
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
            <Text key={attachment.id} as="p">
              {attachment.notStored}
            </Text>
          ),
      )}
      <ul className={styles.files}>
        {stored.map((attachment) => (
          <li key={attachment.id} className={styles.file}>
            {attachment.kind === 'other' ? (
              <span className={styles.picture}>
                <FileIcon size={20} aria-hidden="true" />
              </span>
            ) : (
              <button
                type="button"
                className={styles.picture}
                aria-label={m.show({ name: attachment.name })}
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
              <span className={styles.name} title={attachment.name} translate="no">
                {attachment.name}
              </span>
              <Text tone="faint" small>
                {[byteSize(attachment.size), attachment.removed].filter(Boolean).join(' · ')}
              </Text>
            </span>
            <a
              className={buttonClass('ghost', 'small')}
              href={bytesAddress(owner, attachment.id, 'download')}
              download={attachment.name}
              aria-label={m.downloadName({ name: attachment.name })}
              data-tip={m.download}
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
            <TextOf owner={owner} attachment={shown} />
          )}
        </Dialog>
      )}
    </>
  );
}

/** A file that claims to be an image and is not shows only its name. */
function Picture({ owner, attachment }: { readonly owner: AttachmentOwner; readonly attachment: Attachment }) {
  const [broken, setBroken] = useState(false);
  return broken ? (
    <span className={styles.broken}>{m.broken}</span>
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

function TextOf({ owner, attachment }: { readonly owner: AttachmentOwner; readonly attachment: Attachment }) {
  const { name } = attachment;
  return (
    <QueryView
      query={useQuery(attachmentTextQuery(owner, attachment))}
      loading={m.loading({ name })}
      failed={m.failed({ name })}
      rows={6}
      height={18}
    >
      {(text) => (
        <ScrollRegion className={styles.text} label={name}>
          <pre>{text.slice(0, maxShown)}</pre>
          {text.length > maxShown && <p>{m.rest}</p>}
        </ScrollRegion>
      )}
    </QueryView>
  );
}
