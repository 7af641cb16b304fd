/** See openapi-generators.mjs. */
export interface OpenapiGenerators {
  /** An interpreter that has what the generated Python clients need. */
  readonly python: string;
  readonly bin: string;
  readonly java: string;
  readonly jar: string;
}
export function findOpenapiGenerators(log?: (line: string) => void): Promise<OpenapiGenerators | null>;
