/** The API of a server, for commands that ask it like other clients: with a token, from whichever machine. */
import { CodedError } from '../base/errors.ts';
import { remote as texts } from '../base/texts/cli.ts';
import { things } from '../base/texts/things.ts';
import { readRunning } from '../running.ts';
import { type Invocation, UsageError } from './command.ts';

const tokenVariable = 'CULPRIT_TOKEN';
const patienceMs = 60_000;

export interface ServerApi {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** Below `/api/0`; the text of the answer. Throws with what the server says of a refusal. */
  get(path: string): Promise<string>;
}

/** The server of `--url`, else the one that runs on the data directory. */
export async function openServerApi({ config }: Pick<Invocation, 'config'>): Promise<ServerApi> {
  const token = process.env[tokenVariable]?.trim();
  if (!token) throw new UsageError(texts.tokenNeeded(tokenVariable));
  const running = config.url ? undefined : await readRunning(config.dataDir);
  const url = (config.url || running?.listening)?.replace(/\/+$/, '');
  if (!url) throw new CodedError('NOT_FOUND', [texts.noServer(things.runningServer(config.dataDir))]);
  const get = async (path: string): Promise<string> => {
    const answer = await ask(`${url}/api/0${path}`, token);
    const body = await answer.text();
    if (!answer.ok) throw new CodedError('REMOTE_API', [url, detailOf(body) ?? texts.answered(answer.status)]);
    return body;
  };
  return { url, token, get };
}

async function ask(address: string, token: string): Promise<Response> {
  try {
    return await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      // A token goes to the server that was named, and nowhere that one points to.
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    });
  } catch (error) {
    const { origin } = new URL(address);
    throw new CodedError('REMOTE_API', [origin, texts.noAnswer], { cause: error });
  }
}

function detailOf(body: string): string | undefined {
  try {
    const { detail } = JSON.parse(body) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail.replace(/\.$/, '') : undefined;
  } catch {
    return undefined;
  }
}
