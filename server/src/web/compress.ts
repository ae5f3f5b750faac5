/**
 * Compresses answers on their way out: for whoever takes it, above a size from which it pays, and not for a program on this
 * machine, where the network costs nothing.
 *
 * What an eavesdropper learns from the length of a compressed answer (BREACH) needs a secret beside text of theirs, and the
 * same question again and again. So what another site makes a browser ask stays as it is, and a route whose answer has both
 * says `no-transform`.
 */
import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLocalCaller } from './peer.ts';
import { encodingOf } from './shell.ts';

/** Below it the headers are most of an answer. */
const minBytes = 1024;

/** Of an issue list of 132 kB this leaves 9 kB in 0.8 ms; the next qualities take up to five times as long for 5 % less. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };
const gz = { level: 4 };

const compressors = {
  br: { whole: promisify(brotliCompress), options: brotli, stream: () => createBrotliCompress(brotli) },
  gzip: { whole: promisify(gzip), options: gz, stream: () => createGzip(gz) },
};

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?(?:json|x-ndjson|javascript|xml)\b|image\/svg)/;

/** To be called on a scope before its routes. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const bytes = sizeOf(reply, payload);
    if (bytes === undefined || bytes <= minBytes || !mayChange(reply)) return payload;
    addVary(reply);
    const encoding = encodingOf(request.headers['accept-encoding']);
    if (encoding === 'identity' || isLocalCaller(request) || isAskedByOtherSite(request)) return payload;

    const { whole, options, stream } = compressors[encoding];
    void reply.header('content-encoding', encoding).removeHeader('content-length').removeHeader('accept-ranges');
    const etag = reply.getHeader('etag');
    // Of the same meaning, no longer of the same bytes.
    if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('etag', `W/${etag}`);
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) return whole(payload, options);
    const source = payload as Readable;
    // What is said of that instead is not compressed.
    source.once('error', () => reply.raw.headersSent || reply.removeHeader('content-encoding'));
    return pipeline(source, stream(), () => {});
  });
}

/** Infinity where it is not known before; undefined of what is no body. */
function sizeOf(reply: FastifyReply, payload: unknown): number | undefined {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (Buffer.isBuffer(payload)) return payload.length;
  const isStream = typeof payload === 'object' && payload !== null && 'pipe' in payload;
  return isStream ? Number(reply.getHeader('content-length') ?? Infinity) : undefined;
}

/** Neither empty, nor a part of a file, nor compressed before. */
function mayChange(reply: FastifyReply): boolean {
  const { statusCode } = reply;
  return (
    statusCode !== 204 &&
    statusCode !== 206 &&
    statusCode !== 304 &&
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('content-range') &&
    !/\bno-transform\b/.test(String(reply.getHeader('cache-control'))) &&
    compressible.test(String(reply.getHeader('content-type')))
  );
}

function addVary(reply: FastifyReply): void {
  const known = reply.getHeader('vary');
  if (/accept-encoding|\*/i.test(String(known))) return;
  void reply.header('vary', known === undefined ? 'accept-encoding' : `${String(known)}, accept-encoding`);
}

/** Browsers say so themselves, and no page can make them say otherwise. */
function isAskedByOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}
