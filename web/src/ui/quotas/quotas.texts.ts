import { defineTexts } from '../../i18n/texts';

export const quotasTexts = defineTexts('quotas', {
  storageQuota: 'Storage (GB)',
  maxExecMinutesPerMonth: 'Crawling minutes per month',
  maxConcurrentCrawls: 'Crawls at a time',
  maxPagesPerCrawl: 'Pages per crawl',
  extraExecMinutes: 'Extra minutes bought',
  giftedExecMinutes: 'Minutes given',
  none: '0 sets no limit',
});
