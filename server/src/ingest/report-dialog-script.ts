/** The script of the report dialog, with what the page asks for put in. */
import { readFileSync } from 'node:fs';
import type { reportDialog } from '../base/texts/ingest.ts';

export type DialogTexts = Readonly<Record<keyof typeof reportDialog, string>>;

export interface DialogOptions {
  readonly texts: DialogTexts;
  /** Of the address that takes the report. */
  readonly query: string;
  readonly name: string;
  readonly email: string;
}

const program = readFileSync(new URL('./report-dialog-page.js', import.meta.url), 'utf8');

/** What runs in the visitor's page. */
export const dialogScript = (options: DialogOptions): string =>
  `(function (options) {\n${program}})(${JSON.stringify(options)});\n`;
