/** Without work for so long there is a pause, ms. */
const pauseMs = 5_000;

/** What is kept for whoever needs one next is let go of in a pause. Returns what is to be called at each use. */
export function forgetAfterPause(forget: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const forgetNow = (): void => {
    timer = undefined;
    forget();
  };
  return () => {
    timer ??= setTimeout(forgetNow, pauseMs).unref();
    timer.refresh();
  };
}
