/** Attachments of events and of feedback: items that were kept as they came. */
import { createHash } from 'node:crypto';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Events } from '../../ports/events/events.ts';
import { deleteItem, findItem, itemsOfEvent, type KeptItem } from '../outcomes/index.ts';
import { type AttachmentKind, declaredKind } from '../../process/items/kept/kinds.ts';
import { attachments } from '../../base/texts/issues.ts';

export interface Attachment {
  /** That of the kept item. */
  readonly id: string;
  readonly projectId: number;
  readonly eventId: string;
  readonly name: string;
  /** As its sender says; never what it is served as. */
  readonly declaredType: string;
  /** event.attachment, event.view_hierarchy, … */
  readonly attachmentType: string;
  readonly kind: AttachmentKind;
  readonly sizeBytes: number;
  /** Why there is nothing but its name, in a sentence; undefined for one that is there. */
  readonly notStored: string | undefined;
  /** What of its text was removed, in a sentence; undefined where it is what was sent. */
  readonly removed: string | undefined;
  /** ms since the epoch. */
  readonly receivedAt: number;
}

const itemType = 'attachment';

/** In the order in which they came. */
export async function attachmentsOf(events: Events, projectId: number, eventId: string): Promise<Attachment[]> {
  const items = await itemsOfEvent(events, projectId, eventId, itemType);
  return items.map((item) => toAttachment(item, item.headers));
}

export interface AttachmentContent {
  readonly attachment: Attachment;
  /** '' for one that stands in its row. */
  readonly blobKey: string;
  readonly bytes: Uint8Array;
  /** SHA-1, hex. */
  readonly sha1: string;
}

/** Undefined for an id that names none of this event, and where its bytes are gone; no bytes of one that was refused. */
export async function readAttachment(
  { events, blobs }: { readonly events: Events; readonly blobs: Blobs | undefined },
  projectId: number,
  eventId: string,
  id: string,
): Promise<AttachmentContent | undefined> {
  const item = await findItem(events, [projectId], id);
  if (!item || item.type !== itemType || item.eventId !== eventId) return undefined;
  const bytes = item.blobKey === '' ? Buffer.from(item.payload) : await blobs?.get(item.blobKey);
  if (!bytes) return undefined;
  const sha1 = createHash('sha1').update(bytes).digest('hex');
  return { attachment: toAttachment(item, item.headers), blobKey: item.blobKey, bytes, sha1 };
}

/** Gone for good once this resolves: the row too. */
export async function deleteAttachment(
  { events, blobs }: { readonly events: Events; readonly blobs: Blobs | undefined },
  { attachment, blobKey }: AttachmentContent,
): Promise<void> {
  await deleteItem(events, attachment.projectId, attachment.id);
  if (blobKey) await blobs?.delete(blobKey);
}

function toAttachment(item: KeptItem, headers: string): Attachment {
  const said = parseHeaders(headers);
  const text = (name: string): string => (typeof said[name] === 'string' ? said[name].slice(0, 255) : '');
  const name = fileName(text('filename'));
  const declaredType = text('content_type').toLowerCase();
  return {
    id: item.id,
    projectId: item.projectId,
    eventId: item.eventId,
    name,
    declaredType,
    attachmentType: text('attachment_type') || 'event.attachment',
    kind: declaredKind(name, declaredType),
    sizeBytes: item.sizeBytes,
    notStored: isRefused(item) ? attachments.notStored(name, item.detail) : undefined,
    removed: item.outcome === 'accepted' && item.detail !== '' ? item.detail : undefined,
    receivedAt: item.receivedAt,
  };
}

/** As `refusedText` of kept items says. */
function isRefused({ outcome, reason }: KeptItem): boolean {
  return outcome === 'invalid' && reason === 'too_large';
}

function parseHeaders(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A name without a path, and without what would turn a line around or break a header. */
function fileName(path: string): string {
  const base = path.toWellFormed().replaceAll('\\', '/').split('/').at(-1) ?? '';
  return base.replaceAll(/[\p{Cc}\p{Bidi_Control}"]/gu, '_').trim() || 'attachment';
}
