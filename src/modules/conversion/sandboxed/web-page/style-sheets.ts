import { Parser } from 'htmlparser2';
import { nestingCounter } from '../nesting-limit.ts';

/** Conditions such as a width are not evaluated, so style sheets with conditions are ignored. */
const isForScreen = (media = '') =>
  !media.trim() || media.split(',').some((query) => ['all', 'screen'].includes(query.trim().toLowerCase()));

/** Returns the `style` elements that apply to a page on a screen. Rejects a page that is nested too deeply. */
export function readStyleSheets(html: string): string[] {
  const styleSheets: string[] = [];
  const nesting = nestingCounter();
  let isInStyle = false;
  /** Browsers that run scripts ignore style elements in noscript. */
  let openNoscripts = 0;
  const parser = new Parser({
    onopentag(name, { media }) {
      nesting.open();
      if (name === 'noscript') openNoscripts++;
      if (name !== 'style' || openNoscripts > 0 || !isForScreen(media)) return;
      isInStyle = true;
      styleSheets.push('');
    },
    ontext(text) {
      if (isInStyle) styleSheets.push(`${styleSheets.pop() ?? ''}${text}`);
    },
    onclosetag(name) {
      nesting.close();
      if (name === 'style') isInStyle = false;
      if (name === 'noscript') openNoscripts--;
    },
  });
  parser.end(html);
  return styleSheets;
}
