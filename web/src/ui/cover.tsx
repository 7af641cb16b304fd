import { Box } from '@mantine/core';
import { IconFolders } from '@tabler/icons-react';
import classes from './cover.module.css';

/** Pictures that a collection can have instead of one of its own, by the names that the API's other clients use. */
export const COVERS = ['thumbnail-cyan', 'thumbnail-green', 'thumbnail-yellow', 'thumbnail-orange'] as const;

interface CoverProps {
  /** Address of the collection's own picture. */
  readonly src?: string | null;
  /** One of `COVERS`. */
  readonly name?: string | null;
  readonly w?: number | string;
}

/** The picture of a collection, which adds nothing to its name for those who hear the page. */
export function Cover({ src, name, w = '100%' }: CoverProps) {
  const color = COVERS.find((one) => one === name)?.replace('thumbnail-', '') ?? 'plain';
  return (
    <Box className={classes.cover} w={w} data-color={color} aria-hidden>
      {src ? <img src={src} alt="" className={classes.picture} loading="lazy" /> : <IconFolders stroke={1.3} />}
    </Box>
  );
}
