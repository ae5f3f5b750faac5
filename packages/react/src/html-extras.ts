/** What the page of a server may carry in itself, and the hashes by which a content security policy allows exactly that. */

export const inlineStyle =
  ':root{color-scheme:light dark}' +
  'body{margin:0;padding:12vh max(24px,50% - 304px) 24px;background:Canvas;color:CanvasText;' +
  'font:16px/1.5 system-ui;overflow-wrap:anywhere}' +
  'h1{margin:0;font:600 18px/1.5 system-ui}' +
  'code{font-family:ui-monospace,monospace}' +
  'a,button{display:inline-block;margin:8px 8px 0 0;padding:6px 14px;border:1px solid;border-radius:6px;' +
  'background:Canvas;color:CanvasText;font:inherit;text-decoration:none}';

/** Copies what a person would be asked for; where the clipboard is denied, the text is selected instead. */
export const inlineScript =
  "(function(d){var m=d.querySelector('main'),b=d.createElement('button'),a=m.querySelector('a');" +
  "b.type='button';b.textContent='Copy';" +
  'b.onclick=function(){var t=[].map.call(m.querySelectorAll("h1,div p,code"),function(e){' +
  "return(e.tagName==='CODE'?'Event ID: ':'')+e.textContent})" +
  ".concat('URL: '+location.href,'Time: '+new Date(performance.timeOrigin).toISOString()).join('\\n');" +
  "function s(){getSelection().selectAllChildren(m);b.textContent='Selected'}" +
  "try{navigator.clipboard.writeText(t).then(function(){b.textContent='Copied'},s)}catch(e){s()}};" +
  'a.parentNode.insertBefore(b,a.nextSibling)})(document)';

/** Sources for the content security policy of an answer that carries `loadFailureHtml({ inline: true })`, beside others or alone. */
export const loadFailureCsp: {
  readonly styleSrc: string;
  readonly scriptSrc: string;
  readonly imgSrc: string;
} = {
  styleSrc: "'sha256-6vW1pEkwlv76YTno3vX3NvCshP+RRSuh3p3He2In8qQ='",
  scriptSrc: "'sha256-3X+xD8ypRe7cQa47/nKTpPiyipRC3l+Gk1TWw7R8e+Y='",
  imgSrc: 'data:',
};
