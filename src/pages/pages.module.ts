import { Module } from '@nestjs/common';
import { ItemsDataModule } from '../items/data/items-data.module.js';
import { PagesDataModule } from './data/pages-data.module.js';
import {
  ItemPagesController,
  CrawlPagesController,
  PageReviewsController,
  QaPagesController,
  UploadPagesController,
} from './item-pages.controllers.js';
import { PageExtractor } from './page-extractor.js';
import { PageReviewsService } from './page-reviews.service.js';
import { PagesService } from './pages.service.js';

@Module({
  imports: [PagesDataModule, ItemsDataModule],
  controllers: [
    CrawlPagesController,
    UploadPagesController,
    ItemPagesController,
    PageReviewsController,
    QaPagesController,
  ],
  providers: [PageExtractor, PagesService, PageReviewsService],
  exports: [PageExtractor, PagesService, PagesDataModule],
})
export class PagesModule {}
