import { Button, Checkbox, Group, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { Dialog } from '../dialogs';
import { Problem, sentenceOf } from '../problems';
import { endOf, EXPIRIES, type Expiry, type KeyRing, type KeyScope } from './keys';
import { keysTexts } from './keys.texts';
import { LimitFields } from './limit-fields';

interface NewKeyProps {
  readonly ring: KeyRing;
  readonly onMade: (key: Schemas['ApiKeyCreated']) => void;
  readonly onClose: () => void;
}

/** The API's limits of a key. */
const LIMITS = { name: 100, addresses: 20 } as const;

export function NewKey({ ring, onMade, onClose }: NewKeyProps) {
  const say = useTexts(keysTexts);
  const cache = useQueryClient();
  const [problem, setProblem] = useState<unknown>(null);
  const form = useForm({
    initialValues: {
      name: '',
      scopes: [] as KeyScope[],
      expiry: '90' as Expiry,
      day: '',
      addresses: [] as string[],
      workflows: [] as string[],
      collections: [] as string[],
    },
    validate: { scopes: (scopes) => (scopes.length === 0 ? say('noneChosen') : null) },
  });
  const submit = form.onSubmit(async ({ name, scopes, expiry, day, addresses, workflows, collections }) => {
    setProblem(null);
    try {
      const only = { onlyWorkflows: workflows, onlyCollections: collections };
      const made = await ring.make({ name, scopes, addresses, ...only, expiresAt: endOf(expiry, day, new Date()) });
      if (made) onMade(made);
      await cache.invalidateQueries({ queryKey: ['get'] });
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'api_key_address_invalid')
        form.setFieldError('addresses', sentenceOf(error));
      else setProblem(error);
    }
  });
  return (
    <Dialog onClose={onClose} title={say('create')} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={say('name')}
            placeholder={say('namePlaceholder')}
            maxLength={LIMITS.name}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Checkbox.Group label={say('may')} description={say('mayHelp')} required {...form.getInputProps('scopes')}>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs" mt="xs">
              {ring.scopes.map((scope) => (
                <Checkbox key={scope} value={scope} label={say(`scope_${scope}`)} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() =>
                form.setFieldValue(
                  'scopes',
                  ring.scopes.filter((scope) => scope.endsWith(':read')),
                )
              }
            >
              {say('onlyReads')}
            </Button>
          </Group>
          <Group grow align="flex-start">
            <Select
              label={say('expires')}
              data={EXPIRIES.map((value) => ({ value, label: say(`expiry_${value}`) }))}
              allowDeselect={false}
              {...form.getInputProps('expiry')}
            />
            {form.values.expiry === 'day' && (
              <TextInput type="date" label={say('lastDay')} required {...form.getInputProps('day')} />
            )}
          </Group>
          <TagsInput
            label={say('addresses')}
            description={say('addressesHelp')}
            placeholder={form.values.addresses.length === 0 ? say('addressesPlaceholder') : ''}
            maxTags={LIMITS.addresses}
            acceptValueOnBlur
            splitChars={[',', ' ']}
            {...form.getInputProps('addresses')}
          />
          {ring.oid && (
            <LimitFields
              oid={ring.oid}
              workflows={form.values.workflows}
              collections={form.values.collections}
              onChange={(limits) => form.setValues(limits)}
            />
          )}
          {problem != null && <Problem error={problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('cancel')}
            </Button>
            <Button type="submit" loading={form.submitting}>
              {say('make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
