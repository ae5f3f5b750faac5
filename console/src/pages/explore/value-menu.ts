/** Every value of an answer opens one menu; who draws a value needs only this. */
import { createContext } from 'react';

export interface ChosenValue {
  readonly field: string;
  readonly value: unknown;
  readonly text: string;
  /** What was clicked; the menu stands at it and gives the focus back to it. */
  readonly anchor: HTMLElement;
}

export const ValueMenuContext = createContext<(chosen: ChosenValue) => void>(() => undefined);
