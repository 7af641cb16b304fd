import { DataModule } from '../../database/data-module.js';
import { PageSchema } from './page.schema.js';
import { PagesQueries } from './pages.queries.js';
import { PageReAddsRepository } from './page-readds.repository.js';
import { PageReviewsRepository } from './page-reviews.repository.js';
import { PagesRepository } from './pages.repository.js';

@DataModule({
  models: { Page: PageSchema },
  providers: [PagesRepository, PagesQueries, PageReviewsRepository, PageReAddsRepository],
})
export class PagesDataModule {}
