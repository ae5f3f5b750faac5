/** Serves a page with the guard of `@culprit/react`, whose parts can be made to fail, and takes what the guard reports. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const packageDir = fileURLToPath(new URL('../packages/react/', import.meta.url));

export interface GuardEvent {
  readonly event_id: string;
  readonly level: string;
  readonly release?: string;
  readonly environment: string;
  readonly tags: { readonly digest?: string };
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly contexts: { readonly trace?: Readonly<Record<string, string>> };
  readonly exception: {
    readonly values: readonly {
      readonly type: string;
      readonly value: string;
      readonly mechanism?: object;
      readonly stacktrace?: { readonly frames: readonly { filename: string; function: string; lineno: number }[] };
    }[];
  };
}

interface HtmlModule {
  loadFailureHtml(page: { host: string; digest?: string; eventId?: string; inline?: boolean }): string;
  readonly loadFailureCsp: { readonly styleSrc: string; readonly scriptSrc: string; readonly imgSrc: string };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export class GuardPage implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #files = new Map<string, Answer>();
  #url = '';
  /** Of the guard's script tag. */
  dsn = 'http://0123456789abcdef0123456789abcdef@localhost/1';
  head = '';
  entry = '/assets/entry.js';
  tunnelAnswer: Answer = (_request, response) => void response.end('{}');
  /** What came to the tunnel, and how often the page itself was asked for. */
  envelopes: string[] = [];
  pageLoads = 0;

  static async open(): Promise<GuardPage> {
    const page = new GuardPage();
    const guard = await readFile(`${packageDir}dist/guard.js`, 'utf8');
    const { outputFiles } = await build({
      entryPoints: [`${packageDir}browser/page.tsx`],
      bundle: true,
      minify: true,
      format: 'esm',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      write: false,
      logLevel: 'silent',
    });
    page.script('/guard.js', guard);
    page.script('/assets/app.js', outputFiles[0]?.text ?? '');
    page.#server.listen(0, '127.0.0.1');
    await once(page.#server, 'listening');
    const address = page.#server.address();
    if (typeof address !== 'object' || !address) throw new Error('no address');
    page.#url = `http://localhost:${address.port}`;
    return page;
  }

  get url(): string {
    return this.#url;
  }

  /** What is built, as a server imports it. */
  async html(): Promise<HtmlModule> {
    return (await import(`${packageDir}dist/html.js`)) as HtmlModule;
  }

  /** Back to a page whose entry is `source`. */
  reset(source: string): void {
    Object.assign(this, { envelopes: [], pageLoads: 0, head: '', entry: '/assets/entry.js' });
    this.script('/assets/entry.js', source);
  }

  script(path: string, source: string): void {
    this.file(path, (_request, response) => void response.setHeader('content-type', 'text/javascript').end(source));
  }

  file(path: string, answer: Answer): void {
    this.#files.set(path, answer);
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  /** The events of the envelopes, in the order they came. */
  get events(): GuardEvent[] {
    return this.envelopes.map((envelope) => JSON.parse(envelope.split('\n')[2] ?? '') as GuardEvent);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://page').pathname;
    if (path === '/monitoring') {
      this.envelopes.push(await text(request));
      this.tunnelAnswer(request, response);
      return;
    }
    const file = this.#files.get(path);
    if (file) return file(request, response);
    if (path !== '/shop') return void response.writeHead(404).end();
    this.pageLoads += 1;
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .setHeader('cache-control', 'no-store')
      .setHeader(
        'content-security-policy',
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
      ).end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title><link rel="icon" href="data:,">${this.head}
<script src="/guard.js" data-dsn="${this.dsn}" data-tunnel="/monitoring" data-release="shop@1" data-environment="e2e"></script>
<script type="module" src="${this.entry}"></script></head>
<body><div id="root"></div></body></html>`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
