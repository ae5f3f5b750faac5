/** The script of the report dialog, with what the page asks for put in. */
import { readFileSync } from 'node:fs';

export const dialogTexts = {
  title: "It looks like we're having issues.",
  subtitle: 'Our team has been notified.',
  subtitle2: "If you'd like to help, tell us what happened below.",
  labelName: 'Name',
  labelEmail: 'Email',
  labelComments: 'What happened?',
  labelClose: 'Close',
  labelSubmit: 'Send the report',
  errorGeneric: 'The report could not be sent. Try again.',
  errorFormEntry: 'Some fields are not valid. Correct them and try again.',
  successMessage: 'Thank you, your report was sent.',
} as const;

export type DialogTexts = Readonly<Record<keyof typeof dialogTexts, string>>;

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
