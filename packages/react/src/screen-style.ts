/**
 * The look of the screen, set through `element.style` by script: that needs no stylesheet and is allowed by `style-src
 * 'self'`. `all: revert` undoes whatever the page's own stylesheets say of headings and buttons; colours are the system's, so
 * that the reader's colour scheme decides.
 */
export const screenStyle = {
  screen:
    'all:revert;position:fixed;inset:0;z-index:99999999;overflow:auto;' +
    'padding:12vh max(24px,50% - 304px) 24px;color-scheme:light dark;background:Canvas;color:CanvasText;' +
    'font:16px/1.5 system-ui;overflow-wrap:anywhere;outline:0',
  heading: 'all:revert;margin:0;font:600 18px/1.5 system-ui',
  line: 'all:revert',
  button:
    'all:revert;margin:8px 8px 0 0;padding:6px 14px;border:1px solid;border-radius:6px;background:Canvas;' +
    'color:CanvasText;font:inherit',
  text: 'all:revert;display:block;box-sizing:border-box;width:100%;height:9em;margin:16px 0',
} as const;
