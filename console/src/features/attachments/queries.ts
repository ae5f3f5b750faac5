/** Attachments of events and of feedback. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import * as m from '../../messages/attachments.ts';

export type Attachment = Schemas['Attachment'];

/** Of an event, or of a feedback. */
export interface AttachmentOwner {
  readonly org: string;
  /** Slug. */
  readonly project: string;
  readonly event: string;
}

export const attachmentsQuery = ({ org, project, event }: AttachmentOwner) =>
  queryOptions({
    queryKey: ['attachments', org, project, event],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/events/{event}/attachments/', {
        params: { path: { org, project, event } },
        signal,
      }),
  });

/** Of its bytes: to be shown where that is safe, or to be stored. */
export const bytesAddress = ({ org, project, event }: AttachmentOwner, id: string, how: 'show' | 'download'): string =>
  `/api/0/projects/${[org, project].map(encodeURIComponent).join('/')}/events/${event}/attachments/${id}/?${how}=1`;

/** More of a text is not shown. */
export const maxShown = 200_000;

export const attachmentTextQuery = (owner: AttachmentOwner, { id, kind }: Pick<Attachment, 'id' | 'kind'>) =>
  queryOptions({
    queryKey: ['attachments', owner.org, owner.project, owner.event, id],
    queryFn: async ({ signal }) => {
      const answer = await fetch(bytesAddress(owner, id, 'show'), { signal, credentials: 'same-origin' });
      if (!answer.ok) throw new Error(m.status({ status: String(answer.status) }));
      if (!answer.headers.get('content-type')?.startsWith('text/plain')) throw new Error(m.notText);
      const text = await answer.text();
      return kind === 'json' ? indented(text) : text;
    },
  });

/** JSON that is none is shown as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
