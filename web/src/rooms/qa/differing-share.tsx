import { Text } from '@mantine/core';
import { useIntl } from 'react-intl';
import { useTexts } from '../../i18n/texts';
import type { QaPageRow } from './queries';
import { qaTexts } from './qa.texts';
import type { MATCHES } from './search';

interface DifferingShareProps {
  readonly page: QaPageRow;
  readonly match: (typeof MATCHES)[number];
}

/** How much differs, as the run measured it; nothing where it could not be measured. */
export function DifferingShare({ page, match }: DifferingShareProps) {
  const say = useTexts(qaTexts);
  const intl = useIntl();
  const score = page.qa?.[match];
  if (score == null) return null;
  const share = intl.formatNumber(Math.max(0, 1 - score), { style: 'percent', maximumFractionDigits: 2 });
  return (
    <Text size="sm" fw={500}>
      {say(match === 'screenshotMatch' ? 'screenshotDiffers' : 'textDiffers', { share })}
    </Text>
  );
}
