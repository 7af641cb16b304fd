import type { ExecutionContext, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { declaredFields, parseModel } from './model.js';
import { parseQuery } from './query.js';
import { BODY_KIND, type BodyKind } from './body-kind.js';
import { under, type Issue } from './issue.js';
import { decimalsForIntegers } from './written-decimals.js';
import type { ModelClass } from './field-type.js';

export type InputPart = 'path' | 'query' | 'body';
export interface InputModels {
  path?: ModelClass;
  query?: ModelClass;
  body?: ModelClass;
}

const PART_OF: Partial<Record<number, InputPart>> = {
  [RouteParamtypes.PARAM]: 'path',
  [RouteParamtypes.QUERY]: 'query',
  [RouteParamtypes.BODY]: 'body',
};

/** The model classes that a handler declares for its path, query and body parameters. */
export function inputModels(controller: Type, handler: string): InputModels {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) ??
    []) as ModelClass[];
  const models: InputModels = {};
  for (const [key, { index }] of Object.entries(args)) {
    const part = PART_OF[Number(key.split(':')[0])];
    const model = types[index];
    if (part && model && declaredFields(model).length > 0) models[part] = model;
  }
  return models;
}

export interface RouteInput {
  issues: Issue[];
  path?: object;
  query?: object;
  body?: object;
}

/** Fields of a form, and fields that make up a body one by one, have no parent to show. Contract: accounts §1.5. */
const EMBEDDED = /^Body_/;
const withoutParent = (issue: Issue): Issue =>
  issue.type === 'missing' && issue.loc.length === 1 ? { ...issue, input: null } : issue;

function readBody(model: ModelClass, request: Request, isForm: boolean): { issues: Issue[]; value?: object } {
  const body: unknown = request.body;
  if (body === undefined) return { issues: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] };
  const parsed = parseModel(model, body);
  if (parsed.ok)
    return { issues: under(['body'], decimalsForIntegers(model, request, parsed.value)), value: parsed.value };
  const issues = isForm || EMBEDDED.test(model.name) ? parsed.issues.map(withoutParent) : parsed.issues;
  return { issues: under(['body'], issues) };
}

/** Reads path, query and body of a request by the handler's models; all problems are collected, path first. */
export function readRouteInput(context: ExecutionContext): RouteInput {
  const request = context.switchToHttp().getRequest<Request>();
  const models = inputModels(context.getClass(), context.getHandler().name);
  const input: RouteInput = { issues: [] };
  if (models.path) {
    const parsed = parseModel(models.path, request.params);
    if (parsed.ok) input.path = parsed.value;
    else input.issues.push(...under(['path'], parsed.issues));
  }
  if (models.query) {
    const parsed = parseQuery(models.query, request.query as Record<string, string | string[]>);
    if (parsed.ok) input.query = parsed.value;
    else input.issues.push(...under(['query'], parsed.issues));
  }
  if (models.body) {
    const isForm = Reflect.getMetadata(BODY_KIND, context.getHandler()) === ('form' satisfies BodyKind);
    const { issues, value } = readBody(models.body, request, isForm);
    input.issues.push(...issues);
    input.body = value;
  }
  return input;
}
