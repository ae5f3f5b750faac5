/** Grouping version `culprit:3`. Everything in this folder decides hashes: a change that alters one needs a new version. */
import type { Algorithm } from '../algorithm.ts';
import { decidingThread } from '../match-fingerprint-rules.ts';
import { v2 } from '../v2/index.ts';
import { baseRules } from './base-rules.ts';
import { messageBesideStack, textBesideStack } from './beside.ts';
import { isInApp, readWords } from './in-app.ts';
import { shortName } from './names.ts';
import { errorValue } from './parameterize.ts';

/** As version 2 for JavaScript; what differs is about other languages. */
export const v3: Algorithm = {
  ...v2,
  version: 'culprit:3',
  isInApp,
  readWords,
  shortName,
  errorValue,
  textBesideStack,
  messageBesideStack,
  threadOf: decidingThread,
  baseRules,
};
