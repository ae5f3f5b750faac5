/**
 * Markdown as a tree of tokens, in bounded time: what is within a paragraph is read only where it has few marks, for the
 * reader of them takes longer than the square of their number. Never throws.
 */
import { Lexer, type Token } from 'marked';

const maxMarks = 300;
const longest = 20_000;

const marks = /[*_[\]~<`!]/g;

const isExpensive = (text: string): boolean => {
  let count = 0;
  for (const _ of text.matchAll(marks)) {
    count += 1;
    if (count > maxMarks) return true;
  }
  return false;
};

const plain = (text: string): Token => ({ type: 'text', raw: text, text });

class BoundedLexer extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (!isExpensive(src)) return super.inlineTokens(src, tokens);
    tokens.push(plain(src));
    return tokens;
  }
}

export function parseMarkdown(source: string): Token[] {
  const text = source.slice(0, longest);
  try {
    return new BoundedLexer({ gfm: true, breaks: true }).lex(text);
  } catch (error) {
    // Quotes within quotes without end.
    if (error instanceof RangeError) return [{ type: 'paragraph', raw: text, text, tokens: [plain(text)] }];
    throw error;
  }
}

/** Where a link leads, if it is one that may be followed. */
export function safeLink(href: string): string | undefined {
  const text = href.trim();
  return /^(?:https?:\/\/[^\s]|mailto:[^\s])/i.test(text) && URL.canParse(text) ? text : undefined;
}

/** Of an image that is asked for only when somebody wants it. */
export function imageHost(href: string): string | undefined {
  return /^https?:\/\//i.test(href) && URL.canParse(href) ? new URL(href).host : undefined;
}

export interface TextPiece {
  readonly text: string;
  readonly mention: boolean;
}

const mention = /(?<![\w@#/.-])([@#])([a-z0-9][a-z0-9._-]{0,63})/gi;

/** The text in pieces that together are it; handles of people and slugs of teams stand out. */
export function splitMentions(text: string, names: ReadonlySet<string>): TextPiece[] {
  const pieces: TextPiece[] = [];
  let done = 0;
  for (const { 0: whole, 1: sign = '', 2: written = '', index } of text.matchAll(mention)) {
    if (text[index + whole.length] === '/') continue;
    const name = [written, written.replace(/[._-]+$/, '')].find((one) => names.has(sign + one.toLowerCase()));
    if (name === undefined) continue;
    if (index > done) pieces.push({ text: text.slice(done, index), mention: false });
    done = index + 1 + name.length;
    pieces.push({ text: text.slice(index, done), mention: true });
  }
  if (done < text.length) pieces.push({ text: text.slice(done), mention: false });
  return pieces;
}
