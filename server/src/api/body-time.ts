/** A body has so long to arrive; whoever sends it more slowly only holds a connection. */
import type { FastifyInstance } from 'fastify';
import { CodedError } from '../base/errors.ts';
import { closeAfterAnswer } from '../base/read-over.ts';

/** `app` with all that is registered on it, but for routes that take uploads: those have the time of the server. */
export function limitBodyTime(app: FastifyInstance, seconds: number): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    const hasBody = coding !== undefined || Number(length ?? 0) > 0;
    if (hasBody && !request.routeOptions.config.upload) {
      const timer = setTimeout(() => {
        if (reply.sent) request.raw.destroy();
        else if (payload.listenerCount('error') > 0) {
          void reply.header('connection', 'close');
          closeAfterAnswer(request.raw);
          payload.emit('error', new CodedError('BODY_TIMEOUT', [seconds]));
        }
      }, seconds * 1000);
      for (const over of ['end', 'close']) payload.once(over, () => clearTimeout(timer));
    }
    done(null, payload);
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes as long as uploads may. */
    upload?: boolean;
  }
}
