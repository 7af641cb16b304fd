/**
 * Names for the members of one package: the file's own name, with the item's id before it when items share the name
 * (archive.md §16, 25), and a number when that is taken too.
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
