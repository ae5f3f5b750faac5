/**
 * `/api/embed/error-page/`: the dialog in which a visitor says what happened, as `showReportDialog()` of the SDKs asks
 * for it. GET gives the script that shows it, POST takes what was written as a user report of the event.
 */
import { parseEventId, type EventId } from '@culprit/envelope';
import { CodedError } from '../base/errors.ts';
import { reportDialog, userReports } from '../base/texts/ingest.ts';
import { accepted, type Answer, script } from './answer.ts';
import { authOf, authorize } from './authorize.ts';
import { readIngestBody } from './envelope.ts';
import type { Exchange, Ingest } from './exchange.ts';
import type { IngestKey } from './keys.ts';
import { acceptMade } from './made-envelope.ts';
import { dialogScript, type DialogTexts } from './report-dialog-script.ts';

const limits = { name: 128, email: 254, comments: 4096, text: 500 } as const;
const maxBodyBytes = 64 * 1024;

export async function takeReportDialog(ingest: Ingest, exchange: Exchange): Promise<Answer> {
  const asked = new URLSearchParams(exchange.query);
  const dsn = asked.get('dsn') ?? '';
  const key = await authorize(ingest, exchange, authOf(exchange, dsn));
  const eventId = parseEventId(asked.get('eventId'));
  if (!eventId) throw new CodedError('REPORT_INVALID', [userReports.eventId]);
  if (exchange.request.method === 'POST') return take(ingest, exchange, key, eventId);
  return script(
    dialogScript({
      texts: textsOf(asked),
      query: new URLSearchParams({ dsn, eventId }).toString(),
      name: (asked.get('name') ?? '').slice(0, limits.name),
      email: (asked.get('email') ?? '').slice(0, limits.email),
    }),
  );
}

function textsOf(asked: URLSearchParams): DialogTexts {
  const texts = Object.keys(reportDialog).flatMap((name) => {
    const text = asked.get(name)?.trim();
    return text ? [[name, text.slice(0, limits.text)]] : [];
  });
  return { ...reportDialog, ...(Object.fromEntries(texts) as Partial<DialogTexts>) };
}

async function take(ingest: Ingest, exchange: Exchange, key: IngestKey, eventId: EventId): Promise<Answer> {
  const body = await readIngestBody(ingest, exchange);
  if (body.length > maxBodyBytes) throw new CodedError('ITEM_TOO_LARGE', ['user_report', body.length, maxBodyBytes]);
  const form = new URLSearchParams(body.toString());
  const text = (name: keyof typeof limits): string => (form.get(name) ?? '').trim().slice(0, limits[name]);
  const report = { name: text('name'), email: text('email'), comments: text('comments') };
  if (!report.comments) throw new CodedError('REPORT_INVALID', [userReports.noComments]);
  if (report.email && !/^[^\s@]+@[^\s@]+$/.test(report.email)) {
    throw new CodedError('REPORT_INVALID', [userReports.email]);
  }
  const payload = JSON.stringify({ event_id: eventId, ...report });
  const headers = await acceptMade(ingest, exchange, key, [
    { eventId, item: { header: { type: 'user_report' }, payload } },
  ]);
  return accepted(undefined, headers);
}
