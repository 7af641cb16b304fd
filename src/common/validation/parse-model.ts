import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { declaredFields } from './declared-fields.js';
import { accept, refuse, type Issue, type Loc, type Parsed } from './issue.js';
import type { Fault, ModelClass } from './kind.js';

type Body = Record<string, unknown>;

/** A value in a function, where class-transformer does not walk through it and stop at hostile keys. */
export type Sent = () => Body;

/** The context of a constraint: what the 422 says when it does not hold. */
export interface ContractWords {
  readonly faults: (value: unknown) => readonly Fault[];
}

export const NO_MODEL: Fault = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
};

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bodies = new WeakMap<object, Body>();

/** Whether the caller sent this key at all; tells what was sent from what is a default. */
export const wasSent = (body: object, key: string): boolean => Object.hasOwn(bodies.get(body) ?? {}, key);

/**
 * An instance whose fields are converted but not yet checked. Class-transformer gets the values behind a function.
 * Otherwise it would walk through every one, call what hostile keys such as `constructor` name, and copy what is
 * refused anyway.
 */
export function instanceOf<T extends object>(model: ModelClass<T>, sent: Body): T {
  const held: Sent = () => sent;
  const shape: Body = {};
  for (const { name } of declaredFields(model))
    if (Object.hasOwn(sent, name) && sent[name] !== undefined) shape[name] = held;
  const instance = plainToInstance(model, shape, {
    excludeExtraneousValues: true,
    exposeDefaultValues: true,
    exposeUnsetFields: false,
  });
  bodies.set(instance, sent);
  return instance;
}

/**
 * Class-validator searches the constraints of all classes for those of each object. That takes a third of the CPU of a
 * long list. A class has all of its constraints when its first instance is read, so the result is kept. ADR 0038.
 */
const storage = getMetadataStorage();
const found = new WeakMap<object, ReturnType<typeof storage.getTargetValidationMetadatas>>();
const find = storage.getTargetValidationMetadatas.bind(storage);
storage.getTargetValidationMetadatas = (model, ...options) => {
  const constraints = found.get(model) ?? find(model, ...options);
  found.set(model, constraints);
  return constraints;
};

const valueAt = (value: unknown, loc: Loc): unknown =>
  loc.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);

/** Turns class-validator's findings into the contract's issues. `input` is the value as sent, unconverted. */
export function issuesOf(instance: object): Issue[] {
  const errors = validateSync(instance, {
    stopAtFirstError: true,
    forbidUnknownValues: false,
    validationError: { target: false },
  });
  const sent = bodies.get(instance) ?? {};
  return errors.flatMap(({ property, value, contexts = {} }): Issue[] => {
    const own = sent[property];
    if (own === undefined) return [{ type: 'missing', loc: [property], msg: 'Field required', input: sent }];
    const faults = Object.values(contexts as Record<string, ContractWords>).flatMap((words) => words.faults(value));
    return faults.map(({ type, loc = [], msg, ctx, input = valueAt(own, loc) }) => {
      const issue = { type, loc: [property, ...loc], msg, input };
      return ctx ? { ...issue, ctx } : issue;
    });
  });
}

/** Reads a plain value as an instance of a model. It reports every problem and throws none. */
export function parseModel<T extends object>(model: ModelClass<T>, value: unknown): Parsed<T> {
  if (!isBody(value)) return refuse(NO_MODEL.type, NO_MODEL.msg, value);
  const instance = instanceOf(model, value);
  const issues = issuesOf(instance);
  return issues.length > 0 ? { ok: false, issues } : accept(instance);
}
