import { Badge, Button, Group, NumberInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { send } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { When } from '../../ui/format';
import { Empty, notifyProblem } from '../../ui/problems';
import { Section } from '../../ui/section';
import { useSettings, type OrgRecord } from './queries';
import { settingsTexts } from './settings.texts';

interface Price {
  readonly value: number;
  readonly currency: string;
}

/** Routes of billing are in the API's document only where billing is on, so that they have no types here. */
const billing = async <T,>(oid: string, path: string): Promise<T> => (await send(`/api/orgs/${oid}/${path}`)) as T;

const goTo = (read: Promise<string>): Promise<void> => read.then((url) => location.assign(url), notifyProblem);

export function BillingTab({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const { oid } = useOrg();
  const settings = useSettings();
  const { subscription } = record;
  if (!subscription)
    return (
      <Empty title={say('noSubscription')}>
        {settings?.salesEmail ? say('askSales', { email: settings.salesEmail }) : say('noSubscriptionText')}
      </Empty>
    );
  const key = `status_${subscription.status}` as const;
  const portal = async (): Promise<string> => (await billing<{ portalUrl: string }>(oid, 'billing-portal')).portalUrl;
  return (
    <>
      <Section
        title={say('subscription')}
        isNarrow
        actions={<Button onClick={() => void goTo(portal())}>{say('openPortal')}</Button>}
      >
        <Group gap="sm">
          <Badge variant="light" tt="none">
            {key in settingsTexts.english ? say(key) : subscription.status}
          </Badge>
          <Text size="sm">{say('plan', { plan: subscription.planId })}</Text>
        </Group>
        {subscription.futureCancelDate && (
          <Text size="sm">
            {say('ends')}: <When at={subscription.futureCancelDate} />
          </Text>
        )}
      </Section>
      <BuyMinutes oid={oid} />
    </>
  );
}

function BuyMinutes({ oid }: { readonly oid: string }) {
  const say = useTexts(settingsTexts);
  const intl = useIntl();
  const [minutes, setMinutes] = useState(600);
  const { data: price } = useQuery({
    queryKey: ['price', oid],
    queryFn: () => billing<Price | null>(oid, 'price/execution-minutes'),
    staleTime: 600_000,
  });
  const checkout = async (): Promise<string> =>
    (await billing<{ checkoutUrl: string }>(oid, `checkout/execution-minutes?minutes=${String(minutes)}`)).checkoutUrl;
  return (
    <Section title={say('buyMinutes')} lead={say('buyMinutesLead')} isNarrow>
      <Group align="flex-end">
        <NumberInput
          label={say('minutes')}
          min={1}
          value={minutes}
          onChange={(value) => setMinutes(Number(value) || 1)}
        />
        <Button variant="default" onClick={() => void goTo(checkout())}>
          {say('checkout')}
        </Button>
        {price && (
          <Text size="sm" lh="36px">
            {intl.formatNumber(price.value * minutes, { style: 'currency', currency: price.currency })}
          </Text>
        )}
      </Group>
    </Section>
  );
}
