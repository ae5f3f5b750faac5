/**
 * Ends a subscription from a mail, signed out: looking changes nothing, a click does. Mail programs post by themselves when
 * their reader asks them to (RFC 8058). What the link says is sealed in it, so a page tells nobody what is stored.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenVisitors } from '../ingest/index.ts';
import {
  escapeHtml,
  resubscribe,
  type Subscription,
  unsubscribe,
  unsubscribePath,
  type Vault,
} from '../domains/notify/index.ts';
import type { State } from '../ports/state/state.ts';
import { subscriptions as texts } from '../base/texts/mail.ts';

export interface UnsubscribeOptions {
  readonly state: State;
  readonly vault: Pick<Vault, 'openSubscription'>;
  readonly openVisitors: OpenVisitors;
}

/** Of what a mail program posts. */
const maxBody = 8 * 1024;
const maxToken = 2_048;

export function registerUnsubscribe(app: FastifyInstance, { state, vault, openVisitors }: UnsubscribeOptions): void {
  const visitors = openVisitors('unsubscribe', { burst: 30, perSecond: 1 });
  // The form, and the two forms in which mail programs post; nothing in them needs to be read but one word.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBody }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    const seconds = visitors.take(request.ip);
    if (seconds === 0) return undefined;
    void reply.header('retry-after', String(seconds));
    return send(reply, 429, texts.tooMany, `<p>${texts.retry(seconds)}</p>`);
  });

  const opened = (request: FastifyRequest): { readonly token: string; readonly to: Subscription } | undefined => {
    const { token } = request.query as Readonly<Record<string, unknown>>;
    if (typeof token !== 'string' || token.length > maxToken) return undefined;
    const to = vault.openSubscription(token);
    return to && { token, to };
  };

  app.get(unsubscribePath, async (request, reply) => {
    const link = opened(request);
    if (!link) return unknown(reply);
    const { to, token } = link;
    return send(
      reply,
      200,
      texts.unsubscribe,
      `<p>${texts.receives(escapeHtml(to.address), described(to))}</p>${form(token, 'stop', texts.unsubscribe)}`,
    );
  });

  app.post(unsubscribePath, { bodyLimit: maxBody }, async (request, reply) => {
    const link = opened(request);
    if (!link) return unknown(reply);
    const { to, token } = link;
    if (to.to === 'channel' && request.body === 'do=resume') {
      await resubscribe(state, to.channelId, to.address);
      const page = `<p>${texts.receivesAgain(escapeHtml(to.address), described(to))}</p>${form(token, 'stop', texts.unsubscribe)}`;
      return send(reply, 200, texts.subscribed, page);
    }
    await unsubscribe(state, to, Date.now());
    const back =
      to.to === 'channel'
        ? form(token, 'resume', texts.subscribe)
        : `<p><a href="/settings/notifications">${texts.settings}</a></p>`;
    const page = `<p>${texts.stopped(escapeHtml(to.address), described(to))}</p>${back}`;
    return send(reply, 200, texts.unsubscribed, page);
  });
}

const unknown = (reply: FastifyReply): FastifyReply => send(reply, 400, texts.invalid, `<p>${texts.invalidHint}</p>`);

const described = (to: Subscription): string =>
  to.to === 'channel'
    ? texts.channel(`<strong>${escapeHtml(to.name)}</strong>`)
    : texts.mail(to.kinds.map((kind) => texts.kinds[kind] ?? kind));

const form = (token: string, what: 'stop' | 'resume', label: string): string =>
  `<form method="post" action="${unsubscribePath}?token=${escapeHtml(encodeURIComponent(token))}"><button name="do" value="${what}">${label}</button></form>`;

function send(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title} · Culprit</title><style>body{font:15px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem;overflow-wrap:anywhere}h1{font-size:1.25rem}button{font:inherit;padding:.5rem 1rem;min-height:2.75rem}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
    );
}
