import { useEffect, useRef } from 'react';

const KEY = 'muniment.review-keys';

/** Single keys can be turned off, because who speaks to the computer presses them unawares (WCAG 2.1.4). */
export const keysAreOn = (): boolean => localStorage.getItem(KEY) !== 'off';
export const keepKeys = (isOn: boolean): void => localStorage.setItem(KEY, isOn ? 'on' : 'off');

/** Boxes to tick and buttons take no letters. */
const NO_TEXT = new Set(['radio', 'checkbox', 'button', 'submit']);
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !NO_TEXT.has(target.type)));

/** Calls the action of a pressed key, unless somebody types or a dialog is open. */
export function useKeys(actions: Readonly<Record<string, () => void>>, isOn: boolean): void {
  const current = useRef(actions);
  useEffect(() => void (current.current = actions));
  useEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
      const action = current.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
}
