/** Longer texts rarely come again. */
const longest = 300;

/** What `make` makes of texts that come again: remembered for so many of them, then the memory starts over. */
export function memo<Made>(make: (text: string) => Made, maxTexts = 500): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    if (text.length > longest) return make(text);
    let made = known.get(text);
    if (made !== undefined) return made;
    made = make(text);
    if (known.size >= maxTexts) known.clear();
    known.set(text, made);
    return made;
  };
}
