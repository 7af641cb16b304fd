/** One table of messages of the files of all rooms: `../rooms/items/texts.de.json` has the ids `items.…`. */
export function gather(files: Record<string, Record<string, string>>): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const [path, texts] of Object.entries(files)) {
    const room = path.split('/').at(-2) ?? '';
    for (const [key, text] of Object.entries(texts)) messages[`${room}.${key}`] = text;
  }
  return messages;
}
