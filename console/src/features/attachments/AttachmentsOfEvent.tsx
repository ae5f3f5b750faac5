import { useQuery } from '@tanstack/react-query';
import * as m from '../../messages/attachments.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Attachments } from './Attachments.tsx';
import { attachmentsQuery, type AttachmentOwner } from './queries.ts';

/** A panel where the event has any. Few have, so nothing is kept free for it. */
export function AttachmentsOfEvent(owner: AttachmentOwner) {
  const { data } = useQuery(attachmentsQuery(owner));
  if (!data?.length) return null;
  return (
    <Panel title={m.title} id="attachments" count={data.length} boxed={false}>
      <Attachments owner={owner} attachments={data} />
    </Panel>
  );
}
