type ScriptTag = { attributes: string; code: string };

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const SOURCE = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

/** The script elements of a pasted snippet; text without a tag is code. Other markup is ignored. */
export function scriptTags(snippet: string): ScriptTag[] {
  if (!/<script\b/i.test(snippet)) {
    const code = snippet.trim().replace(/<\/script/gi, '<\\/script');
    return code ? [{ attributes: '', code }] : [];
  }
  return [...snippet.matchAll(SCRIPT)]
    .map(([, attributes = '', code = '']) => ({ attributes, code: code.trim() }))
    .filter(({ attributes, code }) => code !== '' || SOURCE.test(attributes));
}

const sourceOf = ({ attributes }: ScriptTag) => {
  const [, doubleQuoted, singleQuoted, bare] = SOURCE.exec(attributes) ?? [];
  return doubleQuoted ?? singleQuoted ?? bare;
};

/** Why a snippet cannot run; undefined when it can. */
export function snippetProblem(snippet: string): string | undefined {
  const tags = scriptTags(snippet);
  if (tags.length === 0) return '里没有可执行的脚本，请粘贴完整的 script 标签或代码';
  const sources = tags.map(sourceOf).filter((source) => source !== undefined);
  const refused = sources.find((source) => !/^(?:https:)?\/\/[^/]/i.test(source.trim()));
  if (refused === undefined) return undefined;
  return `的外部脚本地址应以 https:// 开头：${refused.slice(0, 100)}`;
}
