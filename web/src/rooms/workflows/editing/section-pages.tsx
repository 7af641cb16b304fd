import { Checkbox, NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { api } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { CustomBehaviors } from './custom-behaviors';
import { BEHAVIORS } from './draft';
import { editingTexts } from './editing.texts';
import { Fold, Part, type SectionProps } from './parts';

/** What happens on each page, and how long it may take. */
export function PagesSection({ form, oid }: SectionProps & { readonly oid: string }) {
  const say = useTexts(editingTexts);
  const { behaviors } = form.getValues();
  const { data: settings } = api.useQuery('get', '/api/settings', {}, { staleTime: 600_000 });
  const others = behaviors.filter((name) => !(BEHAVIORS as readonly string[]).includes(name));
  const change = (chosen: readonly string[]): void =>
    form.setFieldValue('behaviors', [...BEHAVIORS.filter((name) => chosen.includes(name)), ...others]);
  const times = ['pageLoadTimeout', 'behaviorTimeout', 'postLoadDelay', 'pageExtraDelay'] as const;
  const usual: Partial<Record<(typeof times)[number], number | undefined>> = {
    pageLoadTimeout: settings?.defaultPageLoadTimeSeconds,
    behaviorTimeout: settings?.defaultBehaviorTimeSeconds,
  };
  return (
    <Part id="pages" title={say('pages')} lead={say('pagesLead')}>
      <Checkbox.Group label={say('behaviors')} value={behaviors} onChange={change}>
        <Stack gap="xs" mt="xs">
          {BEHAVIORS.map((name) => (
            <Checkbox key={name} value={name} label={say(name)} description={say(`${name}Text`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Fold
        title={say('morePages')}
        isForced={[...times, 'clickSelector', 'customBehaviors'].some((key) => form.errors[key] != null)}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {times.map((name) => (
            <NumberInput
              key={name}
              label={say(name)}
              description={say(`${name}Text`)}
              placeholder={usual[name] ? say('usualSeconds', { seconds: usual[name] }) : say('none')}
              suffix={` ${say('sec')}`}
              min={0}
              allowDecimal={false}
              {...form.getInputProps(name)}
            />
          ))}
        </SimpleGrid>
        {behaviors.includes('autoclick') && (
          <TextInput
            label={say('clickSelector')}
            description={say('clickSelectorText')}
            ff="monospace"
            spellCheck={false}
            {...form.getInputProps('clickSelector')}
          />
        )}
        <CustomBehaviors form={form} oid={oid} />
        <Switch
          label={say('alwaysAddBehaviorLinks')}
          description={say('alwaysAddBehaviorLinksText')}
          {...form.getInputProps('alwaysAddBehaviorLinks', { type: 'checkbox' })}
        />
      </Fold>
    </Part>
  );
}
