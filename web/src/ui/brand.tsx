import { Group, Text } from '@mantine/core';

/** The mark and the name. */
export function Brand({ size = 26 }: { readonly size?: number }) {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/docs-logo.svg" width={size} height={size} alt="" />
      <Text fw={650} fz={size * 0.62}>
        Muniment
      </Text>
    </Group>
  );
}
