/**
 * The row of a button is about to go: the same button of the next row takes the focus, else that of the row before, else
 * what is around the list, so that keys go on from here.
 */
export function goOnFrom(button: HTMLElement): void {
  const row = button.closest('li');
  const at = [...(row?.querySelectorAll('button') ?? [])].findIndex((each) => each === button);
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = next?.querySelectorAll('button')[at] ?? button.closest<HTMLElement>('[tabindex="-1"]');
  target?.focus({ preventScroll: true });
}
