import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { Dialog } from '../../ui/dialogs';
import { InviteLink, inviteAddress } from '../../ui/invite-link';
import { NO_QUOTAS, QuotaFields } from '../../ui/quotas/quota-fields';
import { useAct } from '../../ui/use-act';
import { adminTexts } from './admin.texts';
import { useSettings } from './queries';

/** An answer to an org's creation, with the invite of its first owner where one was asked for. */
interface Created {
  readonly id: string;
  readonly invited?: string;
  readonly token?: string;
}

export function NewOrgModal({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(adminTexts);
  const act = useAct();
  const settings = useSettings();
  const plans = api.useQuery('get', '/api/orgs/plans', {}, { enabled: settings?.billingEnabled === true });
  const [link, setLink] = useState<string | null>(null);
  const form = useForm({
    initialValues: { name: '', slug: '', planId: '', firstAdminInviteEmail: '', note: '', quotas: NO_QUOTAS },
  });
  const submit = form.onSubmit(async ({ quotas, planId, ...texts }) => {
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
    const body = { ...given, ...(planId ? { planId } : { quotas }) };
    let created: Created | undefined;
    const isDone = await act(
      async () => (created = (await client.POST('/api/orgs/create', { body })).data as Created | undefined),
      say('orgCreated', { name: texts.name }),
    );
    if (!isDone) return;
    if (created?.token) setLink(inviteAddress(created, texts.firstAdminInviteEmail));
    else onClose();
  });
  if (link)
    return (
      <Dialog onClose={onClose} title={say('ownerInvited')}>
        <InviteLink
          text={say('ownerInvitedText', { email: form.values.firstAdminInviteEmail })}
          link={link}
          onClose={onClose}
        />
      </Dialog>
    );
  return (
    <Dialog onClose={onClose} title={say('newOrg')} size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label={say('name')} required maxLength={50} data-autofocus {...form.getInputProps('name')} />
          <TextInput label={say('slug')} placeholder={say('slugOfName')} {...form.getInputProps('slug')} />
          <TextInput
            type="email"
            label={say('firstOwner')}
            description={say('firstOwnerHelp')}
            {...form.getInputProps('firstAdminInviteEmail')}
          />
          {(plans.data?.plans.length ?? 0) > 0 && (
            <Select
              label={say('plan')}
              placeholder={say('ownQuotas')}
              clearable
              data={plans.data?.plans.map(({ id, name }) => ({ value: id, label: name })) ?? []}
              value={form.values.planId || null}
              onChange={(value) => form.setFieldValue('planId', value ?? '')}
            />
          )}
          {!form.values.planId && (
            <QuotaFields quotas={form.values.quotas} onChange={(quotas) => form.setFieldValue('quotas', quotas)} />
          )}
          <Textarea label={say('note')} autosize minRows={2} {...form.getInputProps('note')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('cancel')}
            </Button>
            <Button type="submit">{say('createOrg')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
