/** Grouping version `culprit:2`. Everything in this folder decides hashes: a change that alters one needs a new version. */
import { readWords } from '../../in-app.ts';
import type { Algorithm } from '../algorithm.ts';
import { v1 } from '../v1/index.ts';
import { baseRules } from './base-rules.ts';
import { builtInRules } from './built-in-rules.ts';
import { isBundle, stableFileName, stableModule } from './file-name.ts';
import { isInApp } from './in-app.ts';
import { javaModule, shortName } from './names.ts';
import { messageValue } from './parameterize.ts';

export const v2: Algorithm = {
  joinsByWords: true,
  version: 'culprit:2',
  isInApp,
  readWords,
  namelessIsMinified: false,
  stableFileName,
  stableModule,
  isBundle,
  isPageAddress: (module, path) => module.includes('/') && path.endsWith(module),
  shortName,
  javaModule,
  messageValue,
  errorValue: messageValue,
  textBesideStack: () => undefined,
  messageBesideStack: () => undefined,
  threadOf: v1.threadOf,
  builtInRules,
  baseRules,
};
