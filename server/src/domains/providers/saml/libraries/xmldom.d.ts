/**
 * What is used of it. Its own types bring those of a browser into the server, where they say of `fetch` and others what is
 * not so.
 */
export interface Attribute {
  readonly name: string;
  readonly value: string;
}

export interface Node {
  readonly nodeType: number;
  readonly parentNode: Node | null;
  readonly firstChild: Node | null;
  readonly nextSibling: Node | null;
  readonly textContent: string | null;
}

export interface Element extends Node {
  readonly localName: string | null;
  readonly namespaceURI: string | null;
  readonly attributes: ArrayLike<Attribute>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
}

export interface Document extends Node {
  readonly documentElement: Element | null;
}

export interface ErrorHandler {
  readonly warning: (message: string) => void;
  readonly error: (message: string) => void;
  readonly fatalError: (message: string) => void;
}

export declare class DOMParser {
  constructor(options: { readonly errorHandler: ErrorHandler });
  parseFromString(text: string, type: 'text/xml'): Document;
}
