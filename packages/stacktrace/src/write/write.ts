/** Stacks as the runtime of their language prints them. Texts of events come from anywhere: what is written is bounded. */
import type { StackFrame } from '../types.ts';
import { dart } from './dart.ts';
import { dotnet } from './dotnet.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { jvm } from './jvm.ts';
import { native } from './native.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { habitOf, type StackOrder } from './order.ts';
import { type StackReport, type Writer, type WrittenLanguage } from './report.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { v8 } from './v8.ts';

/** Characters of a text. */
const maxText = 1_000_000;

const writers: Record<WrittenLanguage, Writer> = {
  csharp: dotnet,
  dart,
  elixir,
  go,
  java: jvm,
  javascript: v8,
  native,
  php,
  python,
  ruby,
  rust,
};

/** @param order which call stands first; that of the language, where it is not named */
export function writeStack(report: StackReport, order?: StackOrder): string {
  const text = writers[report.language].report(report, order ?? habitOf(report.language)).join('\n');
  return text.length > maxText ? `${text.slice(0, maxText)}\n…` : text;
}

/** One call, without indentation; a second line where the language prints one. */
export const writeFrame = (frame: StackFrame, report: Pick<StackReport, 'language' | 'version'>): string =>
  writers[report.language].frame(frame, report);
