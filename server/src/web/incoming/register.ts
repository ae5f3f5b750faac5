/**
 * Where hosts of code and of sites tell of pushes, releases and deploys. Who calls is known by the end of the address
 * and by the signature over the body as it came; answers are sentences, since providers show them to who sets it up.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import type { Live } from '../../base/live.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import { incoming as texts } from '../../base/texts/incoming.ts';
import * as incoming from '../../domains/incoming/index.ts';
import type { OpenVisitors } from '../../ingest/index.ts';
import type { State } from '../../ports/state/state.ts';

export interface IncomingOptions {
  readonly state: State;
  readonly live: Pick<Live, 'publish'>;
  readonly box: TextBox;
  readonly openVisitors: OpenVisitors;
}

/** Bytes: a push of two thousand commits with their files has less. */
const maxBody = 10 * 1024 * 1024;
const path = '/hooks/:provider/:address';

type Addressed = NonNullable<Awaited<ReturnType<typeof incoming.incomingAt>>>;
const addressed = new WeakMap<FastifyRequest, Addressed>();

export function registerIncoming(app: FastifyInstance, { state, live, box, openVisitors }: IncomingOptions): void {
  const callers = openVisitors('incoming', { burst: 300, perSecond: 30 });
  const strangers = openVisitors('incoming-strangers', { burst: 30, perSecond: 1 });
  const sources = openVisitors('incoming-webhooks', { burst: 120, perSecond: 10 });
  const receive = incoming.createReceive({ state, live });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBody }, (_request, body, done) => done(null, body));

  app.setErrorHandler((error: { readonly statusCode?: number }) => {
    throw error.statusCode === 413 && !(error instanceof CodedError)
      ? new CodedError('BODY_TOO_LARGE', [maxBody], { cause: error })
      : error;
  });

  const refuseMany = (seconds: number): void => {
    if (seconds > 0) throw new CodedError('INCOMING_LIMITED', [seconds], { retryAfter: seconds });
  };

  // Before the body is read: nobody makes the server keep ten megabytes of something that is for nobody.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    refuseMany(callers.take(request.ip));
    const { provider = '', address = '' } = request.params as Readonly<Record<string, string>>;
    const found = await incoming.incomingAt(state, box, provider, address, Date.now());
    if (!found) {
      refuseMany(strangers.take(request.ip));
      throw new CodedError('INCOMING_UNKNOWN');
    }
    if (!found.webhook.enabled) throw new CodedError('INCOMING_DISABLED');
    addressed.set(request, found);
  };

  app.post(path, { onRequest, bodyLimit: maxBody }, async (request, reply) => {
    const found = addressed.get(request);
    if (!found) throw new CodedError('INCOMING_UNKNOWN');
    const { webhook } = found;
    const { headers } = request;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const problem = problemOf(found, headers, body);
    if (problem !== undefined) {
      refuseMany(strangers.take(request.ip));
      await incoming.noteRefusal(state, webhook.id, problem, Date.now());
      throw new CodedError('INCOMING_UNSIGNED', [problem]);
    }
    // Only what is signed counts: who found out the address cannot use up what the provider may send.
    refuseMany(sources.take(`webhook ${webhook.id}`));
    const { result, detail } = await receive(webhook, { headers, body });
    return send(reply, result === 'refused' ? 422 : 200, { result, detail });
  });
  // Who opens the address in a browser learns what it is for.
  app.get(path, { onRequest }, (_request, reply) => {
    void reply.header('allow', 'POST');
    return send(reply, 405, { result: 'refused', detail: texts.post });
  });
}

function problemOf(
  { webhook, secrets }: Addressed,
  headers: FastifyRequest['headers'],
  body: Buffer,
): string | undefined {
  if (!webhook.hasSecret) return texts.noSecret;
  if (secrets.length === 0) return texts.otherKey;
  return incoming.signatureProblem(webhook.provider, headers, body, secrets, Date.now());
}

const send = (reply: FastifyReply, status: number, answer: object): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').send(answer);
