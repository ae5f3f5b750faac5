/**
 * XML that strangers send: read with limits, and without all that makes two readers see two things in one text. Neither
 * responses nor metadata need document types, entities, comments, CDATA or processing instructions, so none is read.
 */
import { samlTexts } from '../../../base/texts/saml.ts';
import { DOMParser, type Element } from '@xmldom/xmldom';
import { maxResponseBytes } from './limits.ts';
import { refuse, SamlRefusal } from './refusal.ts';

export type { Element } from '@xmldom/xmldom';

const { found } = samlTexts;

const maxDepth = 40;

export const ns = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const;

export interface Read {
  readonly text: string;
  readonly root: Element;
}

export interface Limits {
  readonly maxBytes: number;
  readonly maxElements: number;
}

/** Signatures are looked for in all of them: a thousand groups are read, and ten thousand cost others their time. */
const ofResponses: Limits = { maxBytes: maxResponseBytes, maxElements: 2_500 };

/** Throws `SamlRefusal`. */
export function readXml(bytes: Uint8Array, limits: Limits = ofResponses): Read {
  const text = readText(bytes, limits);
  return { text, root: parse(text, limits) };
}

/** What can be said of the bytes without a parser. Throws `SamlRefusal`. */
export function readText(bytes: Uint8Array, { maxBytes, maxElements }: Limits = ofResponses): string {
  if (bytes.byteLength > maxBytes) refuse('too_large', found.tooLong(maxBytes));
  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SamlRefusal('not_xml', found.notUtf8, { cause: error });
  }
  // The reader of XML is the one who normalises line ends, and what was signed had them normalised.
  const text = decoded
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*<\?xml\s[^<>]{0,200}\?>/, '')
    .trim();
  refuseMarkup(text);
  refuseMany(text, maxElements);
  return text;
}

function refuseMarkup(text: string): void {
  const at = /<[!?]/.exec(text)?.index;
  if (at === undefined) return;
  const markup = text.slice(at, at + 20);
  if (/^<!(?:DOCTYPE|ENTITY|ATTLIST|ELEMENT|NOTATION|\[(?!CDATA))/i.test(markup)) refuse('doctype');
  if (markup.startsWith('<!--')) refuse('comment');
  refuse('not_xml', found.otherMarkup);
}

/** Before anything is made of them. */
function refuseMany(text: string, maxElements: number): void {
  let elements = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (text[at + 1] !== '/') elements += 1;
    if (elements > maxElements) refuse('too_large', found.tooManyElements);
  }
}

function parse(text: string, { maxElements }: Limits): Element {
  // The library warns of much that is no XML, and reads on.
  const fail = (): never => {
    throw new SamlRefusal('not_xml', found.malformed);
  };
  let root: Element | null;
  try {
    const errorHandler = { warning: fail, error: fail, fatalError: fail };
    root = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml').documentElement;
  } catch (error) {
    throw new SamlRefusal('not_xml', found.malformed, { cause: error });
  }
  if (!root) return refuse('not_xml', found.empty);
  refuseDeep(root, 2 * maxElements);
  return root;
}

/** Libraries call themselves for each level. */
function refuseDeep(root: Element, maxAttributes: number): void {
  let level = [root];
  let count = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) refuse('too_large', found.tooDeep);
    for (const { attributes } of level) count += attributes.length;
    if (count > maxAttributes) refuse('too_large', found.tooManyAttributes);
    level = level.flatMap(childElements);
  }
}

export function childElements(parent: Element): Element[] {
  const children: Element[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 1) children.push(child as Element);
  }
  return children;
}

/** It and all below. */
export function elementsIn(root: Element): Element[] {
  return [root, ...childElements(root).flatMap(elementsIn)];
}

export const isNamed = (element: Element, namespace: string, name: string): boolean =>
  element.namespaceURI === namespace && element.localName === name;

export const childrenNamed = (parent: Element, namespace: string, name: string): Element[] =>
  childElements(parent).filter((child) => isNamed(child, namespace, name));

/** '' where there is none. */
export const attributeOf = (element: Element | undefined, name: string): string => element?.getAttribute(name) ?? '';

/** Of an element that holds text and nothing else; undefined for any other. */
export function textOf(element: Element | undefined): string | undefined {
  return element && childElements(element).length === 0 ? (element.textContent ?? '').trim() : undefined;
}
