/** Words without meaning of their own. A query that consists only of stop words is searched as it is. */
const stopWords = new Set(
  (
    '的 了 和 与 及 或 是 在 有 为 对 中 上 下 等 被 把 从 到 以 于 之 其 这 那 个 我 你 他 她 它 们 吗 呢 吧 啊 也 都 就 而 并 ' +
    '一个 我们 你们 他们 它们 这个 那个 这些 那些 什么 怎么 怎样 怎么样 如何 为什么 哪些 哪个 哪里 多少 是否 可以 能够 以及 关于 有关 ' +
    '请问 求 想 要 做 办 怎么做 怎么办 用 几 哪 a an the of to in on for and or is are how what why'
  ).split(' '),
);

export const isStopWord = (word: string): boolean => stopWords.has(word);
