/** highlight.js for JavaScript and TypeScript; load it lazily. `more-languages.ts` adds others. */
import hljs from 'highlight.js/lib/core';
import typescript from 'highlight.js/lib/languages/typescript';
import { splitLines, type Piece } from './tokens.ts';

/** Collects pieces where highlight.js would write HTML. Its engine calls scopes by both names. */
class PieceEmitter {
  readonly pieces: Piece[] = [];
  private readonly scopes: string[] = [];

  addText(text: string): void {
    const scope = this.scopes.at(-1) ?? '';
    if (text) this.pieces.push({ text, scope: scope.split('.')[0] ?? '' });
  }
  startScope(name: string): void {
    this.scopes.push(name);
  }
  endScope(): void {
    this.scopes.pop();
  }
  openNode(name: string): void {
    this.startScope(name);
  }
  closeNode(): void {
    this.endScope();
  }
  __addSublanguage(other: PieceEmitter): void {
    this.pieces.push(...other.pieces);
  }
  finalize(): void {}
  toHTML(): string {
    return '';
  }
}

hljs.registerLanguage('typescript', typescript);
// Its grammar is a superset, and carries its own copy of the other.
hljs.registerAliases('javascript', { languageName: 'typescript' });
hljs.configure({ __emitter: PieceEmitter });

/** Lines of coloured pieces; plain ones for a language that is not known. */
export function highlight(source: string, language: string): Piece[][] {
  if (!hljs.getLanguage(language)) return splitLines([{ text: source, scope: '' }]);
  const { _emitter: emitter, errorRaised } = hljs.highlight(source, { language, ignoreIllegals: true });
  const whole = emitter instanceof PieceEmitter && errorRaised === undefined;
  return splitLines(whole ? emitter.pieces : [{ text: source, scope: '' }]);
}
