import type { FrameNames } from './frames.ts';
import { frameName, frameWhere } from './names.ts';
import { StackTrace, type StackTraceProps } from './StackTrace.tsx';

const names: FrameNames = { nameOf: frameName, whereOf: frameWhere };

/** A stack of another language than JavaScript. */
export const LanguageStack = (props: Omit<StackTraceProps, 'names'>) => <StackTrace {...props} names={names} />;
