import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAMS = ['src', 'crawler', 'formats'];
const EXPORTED = /^export (?:abstract )?(?:class|interface|type|enum) (\w+)/gm;

function sources(): string[] {
  return PROGRAMS.flatMap((program) =>
    readdirSync(path.join(ROOT, program), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => `${program}/${file}`),
  );
}

describe('names', () => {
  it('are borne by one exported type each, in the service, the crawler and the formats together', () => {
    const bearers = new Map<string, string[]>();
    for (const file of sources())
      for (const [, name] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(EXPORTED))
        bearers.set(name!, [...(bearers.get(name!) ?? []), file]);
    expect(bearers.size).toBeGreaterThan(500);
    expect([...bearers].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it('are none of the language', () => {
    const taken = sources().filter((file) =>
      /^export .*\b(?:class|interface|type) (?:Record|Map|Set|Error|Request|Response|Partial)\b/m.test(
        readFileSync(path.join(ROOT, file), 'utf8'),
      ),
    );
    expect(taken).toEqual([]);
  });
});
