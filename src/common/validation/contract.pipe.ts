import { Injectable, SetMetadata, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { declaredFields } from './declared-fields.js';
import { InputRefused, accept, under, type Issue, type Parsed } from './issue.js';
import type { ModelClass } from './kind.js';
import { parseModel } from './parse-model.js';
import { queryBody } from './query.js';
import { decimalsForIntegers } from './written-decimals.js';

const EMBEDDED = Symbol('embedded body');

/** The contract declares this body's fields one by one, so a missing field has no parent to show (accounts §1.5). */
export const EmbeddedBody = (): ClassDecorator => SetMetadata(EMBEDDED, true);

const PART_OF = { param: 'path', query: 'query', body: 'body' } as const;

/** One part of a request was refused. Other parts may have faults as well. */
export class PartRefused extends InputRefused {}

const withoutParent = (issue: Issue): Issue =>
  issue.type === 'missing' && issue.loc.length === 1 ? { ...issue, input: null } : issue;

function readBody(model: ModelClass, body: unknown): Parsed<object> {
  if (body === undefined)
    return { ok: false, issues: [{ type: 'missing', loc: [], msg: 'Field required', input: null }] };
  const parsed = parseModel(model, body);
  if (!parsed.ok) return parsed;
  const issues = decimalsForIntegers(model, body as Record<string, unknown>);
  return issues.length > 0 ? { ok: false, issues } : accept(parsed.value);
}

/** Reads path, query or body as the class that the handler declares for it. */
@Injectable()
export class ContractPipe implements PipeTransform {
  transform(value: unknown, part: ArgumentMetadata): unknown {
    const parsed = this.read(value, part);
    if (parsed.ok) return parsed.value;
    throw new PartRefused(parsed.issues);
  }

  read(value: unknown, { type, metatype }: ArgumentMetadata): Parsed<unknown> {
    if (type === 'custom' || !metatype || declaredFields(metatype as ModelClass).length === 0) return accept(value);
    const model = metatype as ModelClass;
    const parsed =
      type === 'body'
        ? readBody(model, value)
        : parseModel(model, type === 'query' ? queryBody(model, value as never) : value);
    if (parsed.ok) return parsed;
    const isWithoutParent = type === 'query' || Reflect.getMetadata(EMBEDDED, model) === true;
    const issues = isWithoutParent ? parsed.issues.map(withoutParent) : parsed.issues;
    return { ok: false, issues: under([PART_OF[type]], issues) };
  }
}
