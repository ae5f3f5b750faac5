/**
 * Where Slack sends presses: signed by the app of the organisation in the path. It waits three seconds for an answer, so
 * what was pressed is done after it.
 */
import type { FastifyInstance } from 'fastify';
import { sourceOf } from '../../api/shared/deed.ts';
import { CodedError } from '../../base/errors.ts';
import { requestPath, type Slack } from '../../domains/slack/index.ts';
import type { OpenVisitors } from '../../ingest/index.ts';

/** A press brings its whole message with it, escaped twice. */
const maxBody = 512 * 1024;

export interface SlackPageOptions {
  readonly slack: Pick<Slack, 'take'>;
  readonly openVisitors: OpenVisitors;
}

export function registerSlack(app: FastifyInstance, { slack, openVisitors }: SlackPageOptions): void {
  const visitors = openVisitors('slack', { burst: 120, perSecond: 10 });
  app.removeAllContentTypeParsers();
  // The signature is of the bytes.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBody }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request) => {
    const seconds = visitors.take(request.ip);
    if (seconds > 0) throw new CodedError('SLACK_LIMITED', [seconds], { retryAfter: seconds });
  });
  app.post(requestPath, { bodyLimit: maxBody }, async (request, reply) => {
    const { organization } = request.params as { readonly organization: string };
    const { body, headers } = request;
    const signed = {
      timestamp: one(headers['x-slack-request-timestamp']),
      signature: one(headers['x-slack-signature']),
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    };
    await slack.take(organization, signed, sourceOf(request));
    // Any text would be posted as a message.
    return reply.code(200).header('cache-control', 'no-store').send();
  });
}

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
