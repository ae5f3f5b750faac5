/** The identity provider of `pysaml2_idp.py`: made responses, signed by xmlsec1, by code that we share nothing with. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SigningKey } from '../../src/domains/providers/saml/testing/made-response.ts';
import { pysaml2Python } from './places.ts';

const script = fileURLToPath(new URL('pysaml2_idp.py', import.meta.url));

export interface Wanted {
  readonly entityId: string;
  readonly by: SigningKey;
  /** Ours, as we publish them; of several providers where it knows several. */
  readonly metadata: readonly string[];
  /** Of the request that it responds to. */
  readonly query?: Readonly<Record<string, string>>;
  readonly nameId: string;
  readonly format: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** In place of what was asked, by pysaml2's names. */
  readonly instead?: Readonly<Record<string, string | null>>;
  readonly signAssertion?: boolean;
  readonly signResponse?: boolean;
  readonly encrypt?: boolean;
  readonly hash?: 'sha1';
  readonly wantsSignedRequests?: boolean;
  readonly lifetimeMinutes?: number;
  /** Its clock is so many seconds ahead. */
  readonly clockSeconds?: number;
}

export class Pysaml2 implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  #errors = '';

  constructor() {
    this.#child = spawn(pysaml2Python, [script], { stdio: 'pipe' });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    if (!this.#child.stdout) throw new Error('no output');
    this.#lines = createInterface({ input: this.#child.stdout });
  }

  /** Its XML; one at a time. Throws what pysaml2 says of the request. */
  async respond({ by, ...wanted }: Wanted): Promise<string> {
    const call = {
      ...wanted,
      key: by.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      certificate: by.certificate,
    };
    this.#child.stdin?.write(`${JSON.stringify(call)}\n`);
    const ended = new AbortController();
    const [line] = (await Promise.race([
      once(this.#lines, 'line', { signal: ended.signal }),
      once(this.#child, 'exit', { signal: ended.signal }),
    ]).finally(() => ended.abort())) as [unknown];
    if (typeof line !== 'string') throw new Error(`pysaml2 ended: ${this.#errors}`);
    const { xml, error } = JSON.parse(line) as { xml?: string; error?: string };
    if (xml === undefined) throw new Error(`${error}\n${this.#errors}`);
    return xml;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await ended;
  }
}
