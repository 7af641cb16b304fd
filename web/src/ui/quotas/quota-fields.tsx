import { NumberInput, SimpleGrid } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { quotasTexts } from './quotas.texts';

export type Quotas = Required<Schemas['OrgQuotas']>;
export const NO_QUOTAS: Quotas = {
  storageQuota: 0,
  maxExecMinutesPerMonth: 0,
  maxConcurrentCrawls: 0,
  maxPagesPerCrawl: 0,
  extraExecMinutes: 0,
  giftedExecMinutes: 0,
};

/** Quotas in order of what is asked for most. Storage is shown in GB. */
const NAMES = [
  'storageQuota',
  'maxExecMinutesPerMonth',
  'maxConcurrentCrawls',
  'maxPagesPerCrawl',
  'giftedExecMinutes',
  'extraExecMinutes',
] as const satisfies readonly (keyof Quotas)[];
const GRANTS: ReadonlySet<keyof Quotas> = new Set(['giftedExecMinutes', 'extraExecMinutes']);
const GB = 1_000_000_000;

interface QuotaFieldsProps {
  readonly quotas: Quotas;
  readonly onChange: (quotas: Quotas) => void;
}

/** A field for each quota of an org. */
export function QuotaFields({ quotas, onChange }: QuotaFieldsProps) {
  const say = useTexts(quotasTexts);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {NAMES.map((name) => {
        const unit = name === 'storageQuota' ? GB : 1;
        return (
          <NumberInput
            key={name}
            label={say(name)}
            description={GRANTS.has(name) ? undefined : say('none')}
            inputWrapperOrder={['label', 'input', 'description']}
            min={0}
            allowDecimal={unit !== 1}
            decimalScale={3}
            thousandSeparator=" "
            value={quotas[name] / unit}
            onChange={(value) => onChange({ ...quotas, [name]: Math.round((Number(value) || 0) * unit) })}
          />
        );
      })}
    </SimpleGrid>
  );
}
