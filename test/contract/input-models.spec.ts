import { readdirSync } from 'node:fs';
import type { Type } from '@nestjs/common';
import { declaredFields } from '../../src/common/validation/declared-fields.js';
import { inputModels } from '../../src/common/validation/input-issues.interceptor.js';
import { AnyObject, AnyOf, ListOf, Nested, TimeText } from '../../src/common/validation/fields.js';
import { timeText } from '../../src/common/validation/formats.js';
import type { ModelClass } from '../../src/common/validation/kind.js';
import { parseModel } from '../../src/common/validation/parse-model.js';
import { str } from '../../src/common/validation/scalars.js';

const ROOT = new URL('../../src/', import.meta.url);

async function controllers(): Promise<Type[]> {
  const files = readdirSync(ROOT, { recursive: true }).map(String);
  const exported: unknown[] = [];
  for (const file of files.filter((name) => /\.controllers?\.ts$/.test(name)))
    exported.push(...Object.values((await import(`../../src/${file}`)) as object));
  return exported.filter((value) => typeof value === 'function' && Reflect.hasMetadata('path', value)) as Type[];
}

/** The classes that handlers read. */
async function readModels(): Promise<ModelClass[]> {
  const handlers = (await controllers()).flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype as object).map((name) => inputModels(controller, name)),
  );
  return [...new Set(handlers.flatMap((models) => Object.values(models)))];
}

/** A body that has every field, with this value. */
const everyField = (value: unknown): object =>
  new Proxy({}, { getOwnPropertyDescriptor: () => ({ value, configurable: true }), get: () => value });

/** What no kind accepts is looked at by every alternative, by the kinds of entries and by bodies within the body. */
const STRANGE = [0, 1, 2, 3].reduce<unknown[]>(
  (values) => [...values, ...values.flatMap((value) => [[value], everyField(value)])],
  [Symbol('strange')],
);

function isRead(model: ModelClass): boolean {
  try {
    for (const value of STRANGE) parseModel(model, everyField(value));
    return true;
  } catch {
    return false;
  }
}

class Written {
  @TimeText() time!: string;
}
class WrittenOrNull {
  @AnyObject({ nullable: true }) any!: Record<string, unknown> | null;
}
class WrittenInList {
  @ListOf(timeText()) times!: string[];
}
class WrittenAlternative {
  @AnyOf([str(), timeText()]) either!: string;
}
class WrittenWithin {
  @Nested(() => WrittenInList) inner!: WrittenInList;
}
class WrittenInEntry {
  @ListOf(() => WrittenWithin) entries!: WrittenWithin[];
}

describe('the classes of input', () => {
  it('have no field of a kind that is only written: reading one fails with 500', async () => {
    const models = await readModels();
    expect(models.length).toBeGreaterThan(100);
    expect(models.filter((model) => !isRead(model)).map(({ name }) => name)).toEqual([]);
  });

  it.each(
    [Written, WrittenOrNull, WrittenInList, WrittenAlternative, WrittenWithin, WrittenInEntry].map(
      (model) => [model.name, model] as const,
    ),
  )('are held to that: %s is recognised', (_, model) => {
    expect(declaredFields(model)).toHaveLength(1);
    expect(isRead(model)).toBe(false);
  });
});
