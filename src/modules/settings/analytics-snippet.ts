import { Script } from 'node:vm';

type ScriptTag = { attributes: string; code: string };

const OPENING_TAG_PATTERN = /<script\b/i;
const SCRIPT_PATTERN = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const SOURCE_PATTERN = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const TYPE_PATTERN = /\stype\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

/** The script elements of a pasted snippet. Text without a script tag is code; other markup is ignored. */
export function scriptTags(snippet: string): ScriptTag[] {
  if (!OPENING_TAG_PATTERN.test(snippet)) {
    const code = snippet.trim().replace(/<\/script/gi, '<\\/script');
    return code ? [{ attributes: '', code }] : [];
  }
  return [...snippet.matchAll(SCRIPT_PATTERN)]
    .map(([, attributes = '', code = '']) => ({ attributes, code: code.trim() }))
    .filter(({ attributes, code }) => code !== '' || SOURCE_PATTERN.test(attributes));
}

const attributeOf = ({ attributes }: ScriptTag, pattern: RegExp) => {
  const [, doubleQuotedValue, singleQuotedValue, unquotedValue] = pattern.exec(attributes) ?? [];
  return doubleQuotedValue ?? singleQuotedValue ?? unquotedValue;
};
const scriptSource = (tag: ScriptTag) => attributeOf(tag, SOURCE_PATTERN);

/** Browsers run script elements of these types only; others contain data. */
const RUNNABLE_TYPE_PATTERN = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:j|live)script)?$/i;
const scriptType = (tag: ScriptTag) => attributeOf(tag, TYPE_PATTERN)?.trim() ?? '';
const isRunnable = (tag: ScriptTag) => RUNNABLE_TYPE_PATTERN.test(scriptType(tag));

/** Compiles the code without running it. The syntax of modules is left to the browser. */
function hasSyntaxError(tag: ScriptTag): boolean {
  if (scriptSource(tag) !== undefined || /^module$/i.test(scriptType(tag))) return false;
  try {
    new Script(tag.code);
    return false;
  } catch (error) {
    // Code that is nested too deeply overflows the stack of the parser.
    if (error instanceof SyntaxError || error instanceof RangeError) return true;
    throw error;
  }
}

/** JavaScript treats such lines as comments. */
const HTML_COMMENT_LINE_PATTERN = /^\s*(?:<!--|-->).*$/gm;

/** Requires a call or an assignment, because a single word or a tracking number compiles too. */
function isCode(tag: ScriptTag): boolean {
  const statements = tag.code.replace(HTML_COMMENT_LINE_PATTERN, '').trim();
  return !statements.startsWith('<') && /[=(]/.test(statements) && !hasSyntaxError(tag);
}

/** The error message for a snippet that cannot run; undefined when it can. */
export function validateAnalyticsSnippet(snippet: string): string | undefined {
  const tags = scriptTags(snippet).filter(isRunnable);
  if (tags.length === 0 || (!OPENING_TAG_PATTERN.test(snippet) && !tags.every(isCode)))
    return '里没有可执行的脚本，请粘贴完整的 script 标签或 JavaScript 代码，其他标签和文字不会运行';
  if (tags.some(hasSyntaxError)) return '的脚本有语法错误，请检查是否粘贴完整';
  const sources = tags.map(scriptSource).filter((source) => source !== undefined);
  const invalidSource = sources.find((source) => !/^(?:https:)?\/\/[^/]/i.test(source.trim()));
  if (invalidSource === undefined) return undefined;
  return `的外部脚本地址应以 https:// 开头：${invalidSource.slice(0, 100)}`;
}
