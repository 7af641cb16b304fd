/**
 * Names for the members of one package: the file's own, with the item's id before it where two items have files of the
 * same name (archive.md §16, 25), and a number where even that is taken.
 */
export function uniqueNames(files: readonly { name: string; itemId: string | null }[]): string[] {
  const taken = new Set<string>();
  return files.map(({ name, itemId }) => {
    let unique = name;
    if (taken.has(unique) && itemId !== null) unique = `${itemId}-${name}`;
    for (let n = 2; taken.has(unique); n++) unique = `${n}-${name}`;
    taken.add(unique);
    return unique;
  });
}
