import { pathToFileURL } from 'node:url';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Loads one of the plain modules under `scripts/`, which carry no type declarations. */
export async function loadScript<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(path.join(ROOT, 'scripts', file)).href)) as T;
}
