/** Asks for a file and reads it as text; undefined where nobody chooses one. Larger ones than `maxBytes` are cut. */
export function chooseFile(accept: string, maxBytes: number): Promise<string | undefined> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0]?.slice(0, maxBytes).text()));
    input.addEventListener('cancel', () => resolve(undefined));
    input.click();
  });
}
