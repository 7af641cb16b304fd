import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { NO_MODEL, declaredFields, type ContractWords, type Sent } from './fields.js';
import { accept, refuse, under, type Issue, type Loc, type Parsed } from './issue.js';
import type { ModelClass } from './kind.js';

type Body = Record<string, unknown>;

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What class-transformer is given in place of a body: it would go through every value by itself, call what hostile keys
 * such as `constructor` name, and copy what is refused anyway. The values of fields stay behind a function, which it
 * leaves alone; bodies within the body are shaped alike, and what should be one and is none is `false`.
 */
function shaped(model: ModelClass, sent: Body): object {
  const held: Sent = () => sent;
  const shape: Body = {};
  for (const { name, kind } of declaredFields(model)) {
    if (!Object.hasOwn(sent, name) || sent[name] === undefined) continue;
    shape[name] = kind.nested ? shapedNested(kind.nested(), sent[name], kind.isList ? held : null) : held;
  }
  return shape;
}

/** @param held stands for what should be a list and is none */
function shapedNested(model: ModelClass, value: unknown, held: Sent | null): unknown {
  const one = (entry: unknown): unknown => isBody(entry) && shaped(model, entry);
  if (!held) return value === null ? null : one(value);
  return Array.isArray(value) ? value.map(one) : held;
}

const valueAt = (value: unknown, loc: Loc): unknown =>
  loc.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);

/** The contract's list of what class-validator found; `input` is what was sent, not what it was converted to. */
function issuesOf(errors: readonly ValidationError[], sent: object): Issue[] {
  return errors.flatMap(({ property, value, contexts = {}, children = [] }) => {
    const key = Array.isArray(sent) ? Number(property) : property;
    const input = (sent as Record<string | number, unknown>)[key];
    if (input === undefined) return [{ type: 'missing', loc: [key], msg: 'Field required', input: sent }];
    const faults = Object.values(contexts as Record<string, ContractWords>).flatMap((words) => words.faults(value));
    const own = faults.map(({ type, loc = [], msg, ctx }): Issue => {
      const issue = { type, loc, msg, input: valueAt(input, loc) };
      return ctx ? { ...issue, ctx } : issue;
    });
    return under([key], [...own, ...issuesOf(children, input as object)]);
  });
}

const bodies = new WeakMap<object, Body>();

/** Whether the caller sent this key at all; tells what was sent from what is a default. */
export const wasSent = (body: object, key: string): boolean => Object.hasOwn(bodies.get(body) ?? {}, key);

/** Of a body and of the bodies that are its fields. */
function rememberSent(model: ModelClass, body: Body, sent: Body): void {
  bodies.set(body, sent);
  for (const { name, kind } of declaredFields(model))
    if (kind.nested && !kind.isList && isBody(body[name]) && isBody(sent[name]))
      rememberSent(kind.nested(), body[name], sent[name]);
}

/** Reads a plain value as an instance of a model; every problem is reported, none throws. */
export function parseModel<T extends object>(model: ModelClass<T>, value: unknown): Parsed<T> {
  if (!isBody(value)) return refuse(NO_MODEL.type, NO_MODEL.msg, value);
  const instance = plainToInstance(model, shaped(model, value), {
    excludeExtraneousValues: true,
    exposeDefaultValues: true,
    exposeUnsetFields: false,
  });
  const errors = validateSync(instance, {
    stopAtFirstError: true,
    forbidUnknownValues: false,
    validationError: { target: false },
  });
  if (errors.length > 0) return { ok: false, issues: issuesOf(errors, value) };
  rememberSent(model, instance as Body, value);
  return accept(instance);
}
