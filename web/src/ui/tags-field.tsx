import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useState } from 'react';

/**
 * Tags with the known ones as suggestions. They open when the field is clicked, or with the first letter, and close with
 * each tag that is taken: below a field of a dialog they would lie over its buttons otherwise.
 */
export function TagsField({ onChange, ...props }: TagsInputProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <TagsInput
      {...props}
      openOnFocus={false}
      dropdownOpened={isOpen}
      onClick={() => {
        setOpen(true);
      }}
      onDropdownOpen={() => {
        setOpen(true);
      }}
      onDropdownClose={() => {
        setOpen(false);
      }}
      onSearchChange={(text) => {
        setOpen(text !== '');
      }}
      onChange={(tags) => {
        setOpen(false);
        onChange?.(tags);
      }}
    />
  );
}
