/** A small page script: bundled and minified with its map beside it, then run to its error as a browser would. */
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { defaultStackParser } from '@sentry/browser';
import { build } from 'esbuild';
import { envelopeUrl, newEventId, type Server } from '../server/test/harness.ts';

/** Where scripts with a debug id leave it, by their own stack. */
const injected = '_sentryDebugIds';

export const checkoutApp = fileURLToPath(new URL('apps/checkout/', import.meta.url));

export interface BuildOptions {
  /** Stands in the bundle, so that the hash in its name differs. */
  readonly build: string;
  readonly minify?: boolean;
}

/** Writes `assets/main-HASH.js` with its map into `dir`, beside the sources. */
export async function buildScript(dir: string, options: BuildOptions): Promise<void> {
  await cp(checkoutApp, join(dir, 'src'), { recursive: true });
  await build({
    entryPoints: [join(dir, 'src/main.ts')],
    bundle: true,
    minify: options.minify ?? true,
    format: 'iife',
    target: 'es2022',
    sourcemap: true,
    define: { BUILD: JSON.stringify(options.build) },
    outdir: join(dir, 'assets'),
    entryNames: '[name]-[hash]',
    logLevel: 'silent',
  });
}

export interface Thrown {
  readonly event: Readonly<Record<string, unknown>> & { readonly event_id: string };
  readonly url: string;
  readonly debugId: string | undefined;
}

/** Runs the script of `dir` as one from `origin`, and has the event that the SDK makes of its error. */
export async function throwIn(
  dir: string,
  { origin = 'https://shop.example', ...event }: { origin?: string } & Readonly<Record<string, unknown>> = {},
): Promise<Thrown> {
  const name = (await readdir(join(dir, 'assets'))).find((file) => file.endsWith('.js'));
  if (name === undefined) throw new Error(`no script in ${dir}`);
  const url = `${origin}/assets/${name}`;
  const page: { buy?: () => void; [injected]?: Record<string, string> } = {};
  runInNewContext(await readFile(join(dir, 'assets', name), 'utf8'), Object.assign(page, { Error }), { filename: url });
  const error = errorOf(() => page.buy?.());
  const debugId = Object.entries(page[injected] ?? {}).find(([stack]) => stack.includes(url))?.[1];
  return {
    url,
    debugId,
    event: {
      event_id: newEventId(),
      timestamp: Date.now() / 1000,
      platform: 'javascript',
      level: 'error',
      sdk: { name: 'sentry.javascript.browser', version: '11.10.0' },
      request: { url: `${origin}/checkout` },
      exception: {
        values: [
          {
            type: error.name,
            value: error.message,
            stacktrace: {
              frames: defaultStackParser(error.stack ?? '').filter(({ filename }) => filename?.startsWith(origin)),
            },
            mechanism: { type: 'generic', handled: false },
          },
        ],
      },
      ...(debugId !== undefined && {
        debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
      }),
      ...event,
    },
  };
}

function errorOf(act: () => void): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}

export async function sendEvent(server: Server, event: Thrown['event']): Promise<void> {
  const body = `${JSON.stringify({ event_id: event.event_id, sent_at: new Date().toISOString() })}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
  const response = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
}

export interface StoredFrame {
  readonly filename: string;
  readonly lineNo: number | null;
  readonly colNo: number | null;
  readonly function: string | null;
  readonly inApp: boolean;
  readonly context: readonly (readonly [line: number, text: string])[];
  readonly data: {
    readonly sourcemap?: string;
    readonly raw?: {
      readonly filename: string;
      readonly lineno: number;
      readonly colno: number;
      readonly function: string;
    };
    readonly unresolved?: { readonly code: string; readonly debug_id?: string; readonly detail?: string };
  } | null;
}

export interface StoredEvent {
  readonly groupID: string;
  readonly symbolication: { readonly mapped: number; readonly unresolved: number };
  readonly stacks: readonly (readonly StoredFrame[])[];
}

/** The event as the API tells it, the outermost frame first; undefined until it is there. */
export async function storedEvent(server: Server, id: string): Promise<StoredEvent | undefined> {
  interface Answer {
    readonly groupID: string;
    readonly symbolication: StoredEvent['symbolication'];
    readonly entries: readonly {
      readonly type: string;
      readonly data: {
        readonly values?: readonly { readonly stacktrace: { readonly frames: StoredFrame[] } | null }[];
      };
    }[];
  }
  const { organization, project } = server.installed;
  const answer = await server.api<Answer>(`/projects/${organization}/${project}/events/${id}/`).catch(() => undefined);
  if (!answer) return undefined;
  const exception = answer.entries.find(({ type }) => type === 'exception');
  return {
    groupID: answer.groupID,
    symbolication: answer.symbolication,
    stacks: (exception?.data.values ?? []).map(({ stacktrace }) => stacktrace?.frames ?? []),
  };
}

/** A frame in one line: what a person reads first. */
export function readFrame({ filename, lineNo, colNo, function: name }: StoredFrame): string {
  return `${name} ${filename}:${lineNo}:${colNo}`;
}
