interface Named {
  readonly name: string;
  readonly itemId: string | null;
}

/**
 * Names for the members of one package: the file's own name, with the item's id before it when items share the name
 * (archive.md §16, 25), and a number when that is taken too.
 */
export function uniqueNames(files: readonly Named[]): string[] {
  return files.map(nameGiver());
}

/** The same for files that come one after the other. */
export function nameGiver(): (file: Named) => string {
  const taken = new Set<string>();
  return ({ name, itemId }) => {
    let unique = name;
    if (taken.has(unique) && itemId !== null) unique = `${itemId}-${name}`;
    for (let n = 2; taken.has(unique); n++) unique = `${n}-${name}`;
    taken.add(unique);
    return unique;
  };
}
