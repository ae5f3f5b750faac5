/** A page that fails, asks its visitor what happened, and sends what belongs to the failure along. */
import * as Sentry from 'sdk';

declare const DSN: string;
declare const RELEASE: string;

Sentry.init({ dsn: DSN, release: RELEASE, environment: 'production' });

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function button(name: string, run: () => void): void {
  const element = document.createElement('button');
  element.textContent = name;
  element.addEventListener('click', run);
  document.body.append(element);
}

button('Fail', () => {
  Sentry.withScope((scope) => {
    scope.setUser({ id: 'u1', email: 'ada@example.com' });
    scope.addAttachment({ filename: 'cart.json', contentType: 'application/json', data: '{"items":[{"price":null}]}' });
    scope.addAttachment({
      filename: 'screen.png',
      contentType: 'image/png',
      data: Uint8Array.from(atob(pixel), (character) => character.codePointAt(0) ?? 0),
    });
    scope.addAttachment({
      filename: 'page.html',
      contentType: 'text/html',
      data: '<script>parent.hacked = 1</script>',
    });
    const eventId = Sentry.captureException(new Error('the cart has no price'));
    document.body.dataset['event'] = eventId;
    Sentry.showReportDialog({
      eventId,
      title: 'The cart is broken',
      user: { name: 'Ada', email: 'ada@example.com' },
      onClose: () => {
        document.body.dataset['closed'] = 'yes';
      },
    });
  });
});

button('Say', () => {
  Sentry.captureFeedback(
    {
      message: 'The new checkout is lovely\nbut slow',
      name: 'Grace',
      email: 'grace@example.com',
      url: location.href,
    },
    { attachments: [{ filename: 'notes.txt', contentType: 'text/plain', data: 'step 1: wait' }] },
  );
});
