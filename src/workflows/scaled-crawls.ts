import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../events/domain-events.js';
import { WorkflowEditor } from './use-cases/workflow-editor.js';

/** A crawl that was scaled while it ran scales its workflow. Contract: crawling §5.5. */
@Injectable()
export class ScaledCrawls implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly editor: WorkflowEditor,
  ) {}

  onModuleInit(): void {
    this.events.on('crawl.scaled', 'workflows.scale', ({ payload }) => {
      const { oid, cid, browserWindows, userId, userName } = payload;
      return this.editor.setBrowserWindows(oid, cid, { id: userId, name: userName }, browserWindows);
    });
  }
}
