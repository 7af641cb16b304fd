import { Group, NumberInput } from '@mantine/core';
import { api } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useOrgRecord } from '../../../session/me';
import { editingTexts } from './editing.texts';
import { Part, type SectionProps } from './parts';

/** When a crawl ends by itself. */
export function LimitsSection({ form }: SectionProps) {
  const say = useTexts(editingTexts);
  const { data: settings } = api.useQuery('get', '/api/settings', {}, { staleTime: 600_000 });
  const ofOrg = useOrgRecord()?.quotas?.maxPagesPerCrawl ?? 0;
  const bounds = [settings?.maxPagesPerCrawl ?? 0, ofOrg].filter((bound) => bound > 0);
  const most = bounds.length > 0 ? Math.min(...bounds) : 0;
  return (
    <Part id="limits" title={say('limits')} lead={say('limitsLead')}>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NumberInput
          label={say('limit')}
          description={most > 0 ? say('limitMost', { most }) : say('limitText')}
          placeholder={say('noLimit')}
          min={1}
          {...(most > 0 ? { max: most } : {})}
          allowDecimal={false}
          thousandSeparator
          miw={180}
          {...form.getInputProps('limit')}
        />
        <NumberInput
          label={say('crawlTimeout')}
          description={say('crawlTimeoutText')}
          placeholder={say('noLimit')}
          suffix={` ${say('min')}`}
          min={1}
          miw={180}
          {...form.getInputProps('crawlTimeoutMinutes')}
        />
        <NumberInput
          label={say('maxCrawlSize')}
          description={say('maxCrawlSizeText')}
          placeholder={say('noLimit')}
          suffix=" GB"
          min={0}
          decimalScale={3}
          miw={180}
          {...form.getInputProps('maxCrawlSizeGB')}
        />
      </Group>
    </Part>
  );
}
