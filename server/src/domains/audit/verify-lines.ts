/** Verifies lines of an export or a stream, which have no head: whether each follows from the one before it. */
import { hashOf } from './chain.ts';
import type { Content } from './entry.ts';
import type { Break, Verified } from './verify.ts';

interface Line {
  readonly organization: string;
  readonly seq: number;
  readonly hash: string;
  readonly content: string;
}

interface Chain {
  readonly first: Line;
  last: Line;
  entries: number;
  readonly breaks: Break[];
}

const maxBreaks = 100;

/** By organisation. A chain may begin anywhere, and what was sent twice may stand there twice. */
export async function verifyLines(lines: AsyncIterable<string> | Iterable<string>): Promise<Verified[]> {
  const chains = new Map<string, Chain>();
  let current: Chain | undefined;
  for await (const text of lines) {
    if (text.trim() === '') continue;
    const line = readLine(text);
    if (!line) {
      // What cannot be read stands behind the entry before it.
      if (current) note(current, 'changed', current.last.seq + 1);
      continue;
    }
    current = chains.get(line.organization);
    if (current) follow(current, line);
    else {
      current = { first: line, last: line, entries: 1, breaks: [] };
      chains.set(line.organization, current);
    }
  }
  return [...chains].map(([organizationId, { first, last, entries, breaks }]) => ({
    organizationId,
    first: first.seq,
    last: last.seq,
    hash: last.hash,
    entries,
    breaks,
  }));
}

function follow(chain: Chain, line: Line): void {
  const { last } = chain;
  if (line.seq === last.seq && line.hash === last.hash && line.content === last.content) return;
  if (line.seq > last.seq + 1) note(chain, 'missing', last.seq + 1, line.seq - 1);
  else if (line.seq <= last.seq) note(chain, 'moved', line.seq);
  else if (hashOf(last.hash, line.content) !== line.hash) note(chain, 'changed', line.seq);
  chain.entries += 1;
  chain.last = line;
}

function note({ breaks }: Chain, kind: Break['kind'], seq: number, until = seq): void {
  if (breaks.length < maxBreaks) breaks.push({ kind, seq, until });
}

function readLine(text: string): Line | undefined {
  try {
    const { hash, ...content } = JSON.parse(text) as Content & { readonly hash?: unknown };
    if (typeof hash !== 'string' || typeof content.seq !== 'number') return undefined;
    return { organization: content.organization, seq: content.seq, hash, content: JSON.stringify(content) };
  } catch {
    return undefined;
  }
}
