import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Custom properties carry numbers from data to style sheets. */
    [property: `--${string}`]: string | number | undefined;
  }
}
