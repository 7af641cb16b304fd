import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';

interface OperationShape {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** Holds every answer of the API tests to the model that its route declares, so that the document can't drift. */
export class ResponseCheck {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<object, ValidateFunction>();
  private readonly routes: { pattern: RegExp; literals: number; operations: Record<string, OperationShape> }[];

  constructor(document: OpenAPIObject) {
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.ajv);
    this.ajv.addSchema({ $id: 'doc', components: document.components }, 'doc');
    this.routes = Object.entries(document.paths)
      .map(([path, operations]) => ({
        pattern: new RegExp(`^${path.replace(/[.$]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}/?$`),
        literals: path.split('/').filter((segment) => !segment.startsWith('{')).length,
        operations: operations as unknown as Record<string, OperationShape>,
      }))
      .sort((a, b) => b.literals - a.literals);
  }

  /** @throws when a JSON answer with the declared status is not of the declared shape */
  check(method: string, path: string, status: number, body: unknown): void {
    const operation = this.routes.find(
      ({ pattern, operations }) => pattern.test(path) && operations[method.toLowerCase()],
    );
    const schema =
      operation?.operations[method.toLowerCase()]?.responses[String(status)]?.content?.['application/json']?.schema;
    if (!schema) return;
    // Profile browsers that are not reachable yet: the contract sends a `detail` with status 200 (archive §8).
    if (status === 200 && JSON.stringify(body) === '{"detail":"waiting_for_browser"}') return;
    const validate = this.validator(schema);
    if (validate(body)) return;
    const problems = validate.errors
      ?.slice(0, 10)
      .map((e) => `${e.instancePath || '/'} ${e.message}`)
      .join('; ');
    throw new Error(`${method} ${path} answered ${status} with a body that its model does not allow: ${problems}`);
  }

  private validator(schema: object): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known) return known;
    const rewritten = JSON.parse(JSON.stringify(schema).replaceAll('#/components/', 'doc#/components/')) as object;
    const validate = this.ajv.compile(rewritten);
    this.compiled.set(schema, validate);
    return validate;
  }
}
