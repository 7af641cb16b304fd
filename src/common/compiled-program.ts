import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Path of a compiled program that runs in a process of its own, by its place in the repository, such as
 * `crawler/main.js`. It is beside the compiled service, or in `dist` where the service runs from its sources.
 */
export function compiledProgram(program: string): string {
  const beside = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../dist/${program}`, import.meta.url));
}
