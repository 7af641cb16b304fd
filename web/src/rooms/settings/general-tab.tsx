import { Anchor, Button, Group, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { Section } from '../../ui/section';
import { useChange, usePath, type OrgRecord } from './queries';
import { settingsTexts } from './settings.texts';

export function GeneralTab({ record }: { readonly record: OrgRecord }) {
  return (
    <>
      <NameForm record={record} />
      <ProfileForm record={record} />
    </>
  );
}

function NameForm({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const change = useChange();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: record.name, slug: record.slug } });
  const save = form.onSubmit(async ({ name, slug }) => {
    const isSaved = await change(async () => {
      await client.POST('/api/orgs/{oid}/rename', {
        params,
        body: { name, ...(slug !== record.slug ? { slug } : {}) },
      });
      const { data } = await client.GET('/api/orgs/{oid}', { params });
      if (!data) return;
      // The page moves to the new address before the old one is unknown.
      const { queryKey } = api.queryOptions('get', '/api/users/me', {});
      cache.setQueryData<Schemas['UserOut']>(queryKey, (me) => me && withName(me, data));
      cache.setQueryData(api.queryOptions('get', '/api/orgs/{oid}', { params }).queryKey, data);
      await navigate({ to: `/o/${data.slug}/settings`, replace: true });
    });
    if (isSaved) form.resetDirty();
  });
  return (
    <Section title={say('nameTitle')} isNarrow>
      <form onSubmit={save}>
        <TextInput label={say('name')} required maxLength={50} dir="auto" {...form.getInputProps('name')} />
        <TextInput
          mt="sm"
          label={say('slug')}
          description={`${location.origin}/o/${form.values.slug || '…'}`}
          required
          {...form.getInputProps('slug')}
        />
        <Group mt="md">
          <Button type="submit" disabled={!form.isDirty()}>
            {say('saveName')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

const withName = (me: Schemas['UserOut'], { id, name, slug }: OrgRecord): Schemas['UserOut'] => ({
  ...me,
  orgs: me.orgs?.map((org) => (org.id === id ? { ...org, name, slug } : org)),
});

const DESCRIPTION_LENGTH = 400;

function ProfileForm({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const change = useChange();
  const form = useForm({
    initialValues: {
      enablePublicProfile: record.enablePublicProfile ?? false,
      publicDescription: record.publicDescription ?? '',
      publicUrl: record.publicUrl ?? '',
    },
  });
  const save = form.onSubmit(async (values) => {
    const isSaved = await change(() => client.POST('/api/orgs/{oid}/public-profile', { params, body: values }));
    if (isSaved) form.resetDirty();
  });
  return (
    <Section title={say('profileTitle')} lead={say('profileLead')} isNarrow>
      <form onSubmit={save}>
        <Switch
          label={say('profileOn')}
          description={`${location.origin}/explore/${record.slug}`}
          {...form.getInputProps('enablePublicProfile', { type: 'checkbox' })}
        />
        <Textarea
          mt="sm"
          label={say('profileDescription')}
          description={say('profileDescriptionHelp', { max: DESCRIPTION_LENGTH })}
          maxLength={DESCRIPTION_LENGTH}
          autosize
          minRows={2}
          dir="auto"
          {...form.getInputProps('publicDescription')}
        />
        <TextInput
          mt="sm"
          type="url"
          label={say('profileUrl')}
          placeholder="https://"
          {...form.getInputProps('publicUrl')}
        />
        <Group mt="md">
          <Button type="submit" disabled={!form.isDirty()}>
            {say('saveProfile')}
          </Button>
          {/* Members see it before it is on. */}
          <Anchor component={Link} to={`/explore/${record.slug}`} size="sm">
            {say('profileSee')}
          </Anchor>
        </Group>
      </form>
    </Section>
  );
}
