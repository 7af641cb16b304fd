/**
 * Runs in each frame before its own scripts. Chromium draws the options of a `<select>` in a system window, which no
 * picture of the page shows. As a "customizable select" they are part of the page. A style sheet of this kind passes
 * the page's content security policy.
 */
export function drawSelects(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    @supports (appearance: base-select) {
      select:not([multiple], [size]:not([size='1'])) {
        &, &::picker(select) { appearance: base-select !important; }
      }
    }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
