import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Page, PageSchema } from './page.schema.js';
import { PagesQueries } from './pages.queries.js';
import { PageReAddsRepository } from './page-readds.repository.js';
import { PageReviewsRepository } from './page-reviews.repository.js';
import { PagesRepository } from './pages.repository.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Page.name, schema: PageSchema }])],
  providers: [PagesRepository, PagesQueries, PageReviewsRepository, PageReAddsRepository],
  exports: [PagesRepository, PagesQueries, PageReviewsRepository, PageReAddsRepository, MongooseModule],
})
export class PagesDataModule {}
