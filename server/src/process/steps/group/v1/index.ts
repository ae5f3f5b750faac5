/** Grouping version `culprit:1`. Everything in this folder decides hashes: a change that alters one needs a new version. */
import type { Algorithm } from '../algorithm.ts';
import { javaModule, shortName } from '../names.ts';
import { isInApp, readWords } from '../../in-app.ts';
import { builtInRules } from './built-in-rules.ts';
import { stableFileName, stableModule } from './file-name.ts';
import { messageValue } from './parameterize.ts';

export const v1: Algorithm = {
  joinsByWords: false,
  version: 'culprit:1',
  isInApp,
  readWords,
  namelessIsMinified: true,
  stableFileName,
  stableModule,
  isBundle: () => false,
  isPageAddress: (module, path) => module.includes('/') && path.endsWith(module),
  shortName,
  javaModule,
  messageValue,
  errorValue: messageValue,
  textBesideStack: () => undefined,
  messageBesideStack: () => undefined,
  threadOf: ({ threads }) => threads?.values.find(({ stacktrace }) => stacktrace),
  builtInRules,
  baseRules: () => [],
};
