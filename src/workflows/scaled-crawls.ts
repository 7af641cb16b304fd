import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { WorkflowEditor } from './editing/workflow-editor.js';

/** Scales a workflow when its running crawl is scaled. Contract: crawling §5.5. */
@Injectable()
export class ScaledCrawls {
  constructor(private readonly editor: WorkflowEditor) {}

  @OnFact('crawl.scaled', 'workflows.scale')
  scaleWorkflow({ payload }: DomainEvent<'crawl.scaled'>): Promise<void> {
    const { oid, cid, browserWindows, userId, userName } = payload;
    return this.editor.setBrowserWindows(oid, cid, { id: userId, name: userName }, browserWindows);
  }
}
