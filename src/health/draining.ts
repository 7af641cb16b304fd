import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/**
 * Whether this process is about to leave. A leaving process continues to answer for a while, because load balancers
 * take a moment to forget it. Each answer tells clients to open their next connection elsewhere.
 */
@Injectable()
export class Draining {
  private begun = false;

  get isLeaving(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
  }

  readonly tellClients = (_request: Request, response: Response, next: NextFunction): void => {
    if (this.begun) response.setHeader('Connection', 'close');
    next();
  };
}
