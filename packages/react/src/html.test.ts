import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inlineScript, inlineStyle } from './html-extras.ts';
import { loadFailureCsp, loadFailureHtml } from './html.ts';

const heading = (html: string) => /<h1>(.*)<\/h1>/.exec(html)?.[1];

describe('loadFailureHtml', () => {
  test('the text of a server that failed', () => {
    const html = loadFailureHtml({ host: 'shop.example.com:8443', digest: '1930860604' });
    expect(heading(html)).toBe(
      'Application error: a server-side exception has occurred while loading shop.example.com (see the server logs for more information).',
    );
    expect(html).toContain('<p>Digest: 1930860604</p>');
  });

  test('the text of a client that failed', () => {
    const html = loadFailureHtml({ host: 'shop.example.com' });
    expect(heading(html)).toBe(
      'Application error: a client-side exception has occurred while loading shop.example.com (see the browser console for more information).',
    );
    expect(html).not.toContain('Digest');
  });

  test.each([
    ['shop.example.com', 'shop.example.com'],
    ['SHOP.example.com:80', 'SHOP.example.com'],
    ['[::1]:7420', '[::1]'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('host %s', (host, name) => {
    expect(heading(loadFailureHtml({ host }))).toContain(`while loading ${name} (see`);
  });

  test.each([
    '<script>alert(1)</script>',
    'a"b',
    "a'b",
    'evil.example call 0800 now',
    'a\r\nSet-Cookie: b=c',
    'a\0b',
    '\ud800',
    'a@b',
    'a/b',
    '',
    'x'.repeat(100_000),
  ])('a host that is none is left out: %j', (host) => {
    const html = loadFailureHtml({ host, digest: '7' });
    expect(heading(html)).toBe(
      'Application error: a server-side exception has occurred (see the server logs for more information).',
    );
    if (host) expect(html).not.toContain(host);
  });

  test('nothing else is taken over unread', () => {
    const hostile = '"><script>alert(1)</script>';
    const html = loadFailureHtml({ host: 'a', digest: hostile, eventId: hostile, lang: hostile });
    expect(html).not.toContain('<script');
    expect(html).toBe(loadFailureHtml({ host: 'a' }));
  });

  test('asks for nothing and runs nothing', () => {
    const html = loadFailureHtml({ host: 'a', digest: '7', eventId: '0'.repeat(32), lang: 'en-GB' });
    expect(html).toContain('<html lang="en-GB">');
    expect(html).toContain(`<code>${'0'.repeat(32)}</code>`);
    expect(html).not.toMatch(/<script|<style|style=|src=|https?:|@import|url\(/i);
  });

  test('what it carries in itself is named by hash', () => {
    const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(loadFailureCsp).toEqual({ styleSrc: sha256(inlineStyle), scriptSrc: sha256(inlineScript), imgSrc: 'data:' });
    const html = loadFailureHtml({ host: 'a', inline: true });
    expect(html).toContain(`<style>${inlineStyle}</style>`);
    expect(html).toContain(`<script>${inlineScript}</script>`);
  });
});
