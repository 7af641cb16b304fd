import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { catchError, type Observable } from 'rxjs';
import { ContractPipe, PartRefused } from './contract.pipe.js';
import { declaredFields } from './declared-fields.js';
import { InputRefused, type Issue } from './issue.js';
import type { ModelClass } from './kind.js';

const PARTS = { param: RouteParamtypes.PARAM, query: RouteParamtypes.QUERY, body: RouteParamtypes.BODY } as const;
type Part = keyof typeof PARTS;

/** The model classes that a handler declares for its path, query and body parameters. */
export function inputModels(controller: Type, handler: string): Partial<Record<Part, ModelClass>> {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) ??
    []) as ModelClass[];
  const models: Partial<Record<Part, ModelClass>> = {};
  for (const [key, { index }] of Object.entries(args)) {
    const part = (Object.keys(PARTS) as Part[]).find((name) => key.startsWith(`${PARTS[name]}:`));
    const model = types[index];
    if (part && model && declaredFields(model).length > 0) models[part] = model;
  }
  return models;
}

/** Finds every fault of a request, path first. Nest's pipes stop at the first part that is refused. */
@Injectable()
export class InputIssues implements NestInterceptor {
  constructor(private readonly pipe: ContractPipe) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw error instanceof PartRefused ? new InputRefused(this.of(context)) : error;
      }),
    );
  }

  /** @param told the issues that were found already; they come first and are not repeated */
  of(context: ExecutionContext, told: readonly Issue[] = []): Issue[] {
    const request = context.switchToHttp().getRequest<Request>();
    const values: Record<Part, unknown> = { param: request.params, query: request.query, body: request.body };
    const models = inputModels(context.getClass(), context.getHandler().name);
    const found = (Object.keys(PARTS) as Part[]).flatMap((type) => {
      const read = this.pipe.read(values[type], { type, metatype: models[type] });
      return read.ok ? [] : read.issues;
    });
    return [...told, ...found.filter(({ loc }) => !told.some((issue) => issue.loc.join('.') === loc.join('.')))];
  }
}
