import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { OpenBodies } from '../http/open-bodies.js';
import { BODY_KIND, type BodyKind } from '../validation/body-kind.js';
import { BodyTooLarge, readRequestBody } from '../validation/body-reader.js';
import { PartRefused } from '../validation/contract.pipe.js';
import { InputIssues, inputModels } from '../validation/input-issues.interceptor.js';
import { InputRefused } from '../validation/issue.js';
import { AccessGuard } from './access.guard.js';
import type { Admitted } from './access.js';

/**
 * Reads the body, up to the length that its sender may send (ADR 0012). A short body that can't be read is told before
 * a refusal. That is why this guard stands before the access guard, which refuses. Contract: accounts §1.2.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    private readonly access: AccessGuard,
    private readonly reflector: Reflector,
    private readonly open: OpenBodies,
    private readonly issues: InputIssues,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const admission: Partial<Admitted> & { refusal?: unknown } = await this.access
      .admissionOf(context)
      .catch((refusal: unknown) => ({ refusal }));
    const { principal, mayEdit, refusal } = admission;
    const by = !principal ? 'stranger' : mayEdit ? 'editor' : 'user';
    try {
      await readRequestBody(this.kindOf(context), { request, response, by, open: this.open });
    } catch (error) {
      if (!refusal || !(error instanceof BodyTooLarge)) throw error;
    }
    // A wrong org id is told together with all other faults of path, query and body.
    if (refusal instanceof PartRefused) throw new InputRefused(this.issues.of(context, refusal.issues));
    return true;
  }

  private kindOf(context: ExecutionContext): BodyKind {
    const declared = this.reflector.get<BodyKind | undefined>(BODY_KIND, context.getHandler());
    return declared ?? (inputModels(context.getClass(), context.getHandler().name).body ? 'json' : 'raw');
  }
}
