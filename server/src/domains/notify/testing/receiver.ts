/** Receivers of a test: HTTP and SMTP servers that write down what they get, and answer when and what the test wants. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly calls: ReceivedCall[];
  /** What the next calls get; 200 when not said. A call for which it never settles is held. */
  answer: (call: ReceivedCall) => HttpAnswer | Promise<HttpAnswer>;
}

export async function openHttpReceiver(): Promise<HttpReceiver> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const call = { path: request.url ?? '', headers: request.headers, body };
      calls.push(call);
      const respond = async (): Promise<void> => {
        const { status, body: said = '', headers = {} } = await receiver.answer(call);
        response.writeHead(status, headers).end(said);
      };
      void respond();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: HttpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: () => ({ status: 200, body: 'ok' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

export interface MailReceiver extends AsyncDisposable {
  /** As `CULPRIT_SMTP_URL` wants it. */
  readonly url: string;
  readonly mails: (Email & { readonly recipients: readonly string[] })[];
  /** Awaited before the recipient, and before the message, are taken; what it throws is the refusal. */
  beforeRecipient: () => Promise<void>;
  beforeAccepting: () => Promise<void>;
}

export async function openMailReceiver(): Promise<MailReceiver> {
  const mails: MailReceiver['mails'] = [];
  const reply = async (work: Promise<unknown>, done: (error?: Error | null) => void): Promise<void> => {
    const refusal = await work.then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    done(refusal);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => void reply(receiver.beforeRecipient(), done),
    onData(stream, session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const take = async (): Promise<void> => {
          const mail = await PostalMime.parse(Buffer.concat(pieces));
          mails.push({ ...mail, recipients: session.envelope.rcptTo.map(({ address }) => address) });
          await receiver.beforeAccepting();
        };
        void reply(take(), done);
      });
    },
  });
  // A sender that is killed breaks its connection off.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: MailReceiver = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    beforeRecipient: async () => {},
    beforeAccepting: async () => {},
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}
