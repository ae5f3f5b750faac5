/** Markdown of people as React elements: no HTML is ever made of it, links lead to the web alone, images wait for a click. */
import type { MarkedToken, Token, Tokens } from 'marked';
import { Fragment, useState, type ReactNode } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import * as m from '../../messages/comments.ts';
import styles from './Markdown.module.css';
import { imageHost, parseMarkdown, safeLink, splitMentions } from './parse.ts';

/** Deeper than anybody writes. */
const maxDeep = 12;

/** `names` are handles and slugs that stand out, with their sign: `@jane`, `#payments`. */
export function Markdown({ text, names }: { readonly text: string; readonly names: ReadonlySet<string> }) {
  return (
    <div className={styles.text} translate="no">
      {draw(parseMarkdown(text), names, 0)}
    </div>
  );
}

function draw(tokens: readonly Token[], names: ReadonlySet<string>, depth: number): ReactNode {
  if (depth > maxDeep) return tokens.map(({ raw }) => raw).join('');
  return tokens.map((token, index) => <Fragment key={index}>{drawOne(token as MarkedToken, names, depth)}</Fragment>);
}

function drawOne(token: MarkedToken, names: ReadonlySet<string>, depth: number): ReactNode {
  const within = (tokens: readonly Token[] | undefined): ReactNode => draw(tokens ?? [], names, depth + 1);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p>{within(token.tokens)}</p>;
    case 'heading':
      return (
        <div role="heading" aria-level={Math.min(6, token.depth + 3)} className={styles.heading}>
          {within(token.tokens)}
        </div>
      );
    case 'blockquote':
      return <blockquote>{within(token.tokens)}</blockquote>;
    case 'list':
      return <List list={token} within={within} />;
    case 'code':
      return <Code text={token.text} language={token.lang ?? ''} />;
    case 'table':
      return <Table table={token} within={within} />;
    case 'hr':
      return <hr />;
    case 'strong':
      return <strong>{within(token.tokens)}</strong>;
    case 'em':
      return <em>{within(token.tokens)}</em>;
    case 'del':
      return <del>{within(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link': {
      const href = safeLink(token.href);
      return href === undefined ? (
        token.raw
      ) : (
        <a href={href} rel="noreferrer noopener nofollow" target="_blank">
          {within(token.tokens)}
        </a>
      );
    }
    case 'image':
      return <Picture href={token.href} text={token.text} raw={token.raw} />;
    case 'text':
      return token.tokens ? within(token.tokens) : <Names text={token.text} names={names} />;
    default:
      // HTML, and marks that were escaped.
      return token.type === 'escape' ? token.text : token.raw;
  }
}

function Names({ text, names }: { readonly text: string; readonly names: ReadonlySet<string> }) {
  return splitMentions(text, names).map((piece, index) =>
    piece.mention ? (
      <span key={index} className={styles.mention}>
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}

function List({
  list,
  within,
}: {
  readonly list: Tokens.List;
  readonly within: (tokens: readonly Token[]) => ReactNode;
}) {
  const items = list.items.map((item, index) => (
    <li key={index} className={item.task ? styles.task : undefined}>
      {item.task && (
        <input type="checkbox" checked={item.checked ?? false} disabled aria-label={item.checked ? m.done : m.toDo} />
      )}
      <div>{within(item.tokens.filter(({ type }) => type !== 'checkbox'))}</div>
    </li>
  ));
  return list.ordered ? <ol {...(list.start !== '' && { start: list.start })}>{items}</ol> : <ul>{items}</ul>;
}

function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <div className={styles.block}>
      <ScrollRegion
        as="pre"
        className={styles.pre}
        label={language ? m.codeIn({ language: language.slice(0, 40) }) : m.code}
      >
        <code>{text}</code>
      </ScrollRegion>
      <span className={styles.copy}>
        <CopyButton text={text} label={m.copyCode} variant="ghost" />
      </span>
    </div>
  );
}

function Table({
  table,
  within,
}: {
  readonly table: Tokens.Table;
  readonly within: (tokens: readonly Token[]) => ReactNode;
}) {
  return (
    <ScrollRegion className={styles.wide} label={m.table}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col">
                {within(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{within(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Asking for an image tells its host who reads, so that is the reader's choice. */
function Picture({ href, text, raw }: { readonly href: string; readonly text: string; readonly raw: string }) {
  const [shown, setShown] = useState(false);
  const host = imageHost(href);
  if (host === undefined) return raw;
  if (shown) return <img src={href} alt={text} className={styles.image} referrerPolicy="no-referrer" loading="lazy" />;
  return (
    <button type="button" className={styles.show} onClick={() => setShown(true)}>
      {text ? m.showNamedImage({ name: text, host }) : m.showImage({ host })}
    </button>
  );
}
