/**
 * One keep-alive connection that sends hand-made HTTP/1.1 requests, one at a time: a general client would take more
 * processor time than the server it is to measure.
 */
import { connect, type Socket } from 'node:net';

export interface Connection {
  /** Resolves to the status once the answer has come whole; 0 when the connection broke. */
  send(head: string, body: Buffer): Promise<number>;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');

export function openConnection(host: string, port: number): Connection {
  let socket: Socket | undefined;
  let settle: ((status: number) => void) | undefined;
  let received: Buffer = Buffer.alloc(0);

  const finish = (status: number): void => {
    const waiting = settle;
    settle = undefined;
    waiting?.(status);
  };
  const drop = (): void => {
    socket?.destroy();
    socket = undefined;
    received = Buffer.alloc(0);
  };
  const onData = (chunk: Buffer): void => {
    received = received.length ? Buffer.concat([received, chunk]) : chunk;
    const end = received.indexOf(headEnd);
    if (end < 0) return;
    const head = received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    // Whoever answers without a length is measured as broken, not waited for.
    const total = length === undefined ? received.length : end + headEnd.length + Number(length);
    if (received.length < total) return;
    received = received.subarray(total);
    const status = Number(head.slice(9, 12)) || 0;
    if (length === undefined || /\r\nconnection: *close/i.test(head)) drop();
    finish(status);
  };
  const open = (): Socket => {
    const opened = connect({ host, port, noDelay: true });
    opened.on('data', onData);
    opened.on('error', () => {});
    opened.on('close', () => {
      if (socket === opened) drop();
      finish(0);
    });
    return opened;
  };

  return {
    send(head, body) {
      return new Promise((resolve) => {
        settle = resolve;
        socket ??= open();
        socket.cork();
        socket.write(head, 'latin1');
        socket.write(body);
        socket.uncork();
      });
    },
    close: drop,
  };
}
