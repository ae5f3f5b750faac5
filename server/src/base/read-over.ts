/**
 * What is left of a request's body after its answer. Left unread, it holds up what comes next on the connection; closed
 * over, it resets the connection, and the client may lose the answer.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** A client that goes on sending is cut off after this. */
const lingerMs = 5_000;

/** Reads it and throws it away, for a while. */
export function readOver(request: Readable): void {
  if (request.readableEnded || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), lingerMs).unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  request.unpipe();
  request.resume();
}

/**
 * For an answer that ends the connection: it says so at once, and is closed when the client has heard it, or after a while
 * where the client never closes its side.
 */
export function closeAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer)).end();
    request.unpipe();
    request.resume();
  };
}
