/** Attachments of events and of feedback. What they hold comes from anybody, so it is never a page of ours. */
import { isUtf8 } from 'node:buffer';
import {
  type AttachmentContent,
  attachmentsOf,
  deleteAttachment,
  imageType,
  readAttachment,
} from '../../domains/attachments/index.ts';
import { refuseHeld } from '../../domains/projects/index.ts';
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { toAttachment } from './shapes.ts';

const idOf = (text: string): string => text.replaceAll('-', '').toLowerCase();

/** Largest text that is shown; beyond it is a download. */
const maxShownText = 2 * 1024 * 1024;

export function attachmentRoutes(api: Api): void {
  const { events, blobs, state } = api.deps;

  implement(api, contract.listAttachments, async ({ caller: { project }, params }) =>
    (await attachmentsOf(events, project.id, idOf(params.event))).map((one) => toAttachment(one)),
  );

  implement(api, contract.getAttachment, async ({ caller: { project }, params, query, reply }) => {
    const found = await readAttachment({ events, blobs }, project.id, idOf(params.event), params.attachment);
    if (!found) throw new CodedError('NOT_FOUND', [things.attachment(params.attachment)]);
    const { attachment, bytes, sha1 } = found;
    if (query.download === undefined && query.show === undefined) {
      await reply.type('application/json').send(toAttachment(attachment, attachment.notStored ? null : sha1));
      return;
    }
    if (attachment.notStored !== undefined) throw new CodedError('ATTACHMENT_NOT_STORED', [attachment.notStored]);
    const type = query.download === undefined ? shownAs(found) : undefined;
    // Neither scripts nor anything of this origin, whatever the browser makes of the bytes.
    void reply.headers({
      'content-type': type ?? 'application/octet-stream',
      'content-disposition': `${type ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(attachment.name)}`,
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    await reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  });

  implement(api, contract.deleteAttachment, async ({ caller: { project }, params, recorded }) => {
    const found = await readAttachment({ events, blobs }, project.id, idOf(params.event), params.attachment);
    if (!found) throw new CodedError('NOT_FOUND', [things.attachment(params.attachment)]);
    await refuseHeld(state, [project.id]);
    // Told first: it lies in other stores, and nothing is deleted there that was not told of here.
    await recorded(async (_inside, note) =>
      note(
        { id: params.attachment, name: found.attachment.name, project: project.slug },
        { details: { event: idOf(params.event) } },
      ),
    );
    await deleteAttachment({ events, blobs }, found);
  });
}

/** The type under which a browser may show it; undefined where it may only be stored. */
function shownAs({ attachment, bytes }: AttachmentContent): string | undefined {
  const image = imageType(bytes);
  if (image) return image;
  const isText = attachment.kind === 'text' || attachment.kind === 'json';
  return isText && bytes.length <= maxShownText && isUtf8(bytes) ? 'text/plain; charset=utf-8' : undefined;
}
