/** Input for the profile browser, in CSS pixels of its viewport. `modifiers`: Alt 1, Ctrl 2, Meta 4, Shift 8. */
export type InputEvent =
  | {
      type: 'mouse';
      action: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel';
      x: number;
      y: number;
      button?: 'none' | 'left' | 'middle' | 'right' | 'back' | 'forward';
      buttons?: number;
      clickCount?: number;
      deltaX?: number;
      deltaY?: number;
      modifiers?: number;
    }
  | {
      type: 'key';
      action: 'keyDown' | 'keyUp';
      key: string;
      code: string;
      /** Text that the key produces; absent for keys without any. */
      text?: string;
      keyCode?: number;
      modifiers?: number;
    }
  | { type: 'text'; text: string }
  /** A button of a browser, or its address bar. */
  | { type: 'go'; to: 'back' | 'forward' | 'reload' }
  | { type: 'navigate'; url: string }
  | { type: 'resize'; width: number; height: number };
