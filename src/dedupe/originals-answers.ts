import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CrawlDriver } from '../drivers/crawl-driver.js';
import type { Original, OriginalsQuestion } from '../drivers/crawl-driver.types.js';
import { PagesRepository } from '../pages/data/pages.repository.js';
import { OriginalsFinder } from './originals-finder.js';

/** Answers crawls that ask what their collection has already. */
@Injectable()
export class OriginalsAnswers implements OnModuleInit {
  constructor(
    private readonly finder: OriginalsFinder,
    private readonly pages: PagesRepository,
    private readonly driver: CrawlDriver,
  ) {}

  onModuleInit(): void {
    this.driver.onOriginals?.((question) => this.answer(question));
  }

  private async answer(question: OriginalsQuestion): Promise<Original[]> {
    const found = await this.finder.find(question);
    if (!question.asksPages || found.length === 0) return found;
    const [itemIds, urls] = [new Set(found.map(({ itemId }) => itemId)), new Set(found.map(({ url }) => url))];
    const loaded = await this.pages.loadedOf(question.oid, [...itemIds], [...urls]);
    return found.map((original) => ({ ...original, isPage: loaded.has(`${original.itemId} ${original.url}`) }));
  }
}
