/** Full-text queries of LanceDB for the words of a search. */
import type { QueryWord } from '#modules/search/query/parse-query.ts';
import type { FindRequest } from '#modules/search/search-engine.ts';
import { alternativeTerms, type LevelPrefix, levelToken, phraseTokens, splitPhrases } from './bench-engine.ts';
import type { LanceModule, LanceQuery } from './lancedb-api.ts';

export class LanceQueries {
  readonly #lance: LanceModule;
  constructor(lance: LanceModule) {
    this.#lance = lance;
  }

  /** Nothing matches without queries. */
  #combine(occur: 'Must' | 'Should', queries: readonly LanceQuery[]): LanceQuery {
    const [first] = queries;
    if (!first) return this.#match(['none'], 'And');
    if (queries.length === 1) return first;
    return new this.#lance.BooleanQuery(queries.map((query) => [this.#lance.Occur[occur], query]));
  }

  #match(tokens: readonly string[], operator: 'And' | 'Or'): LanceQuery {
    return new this.#lance.MatchQuery(tokens.join(' '), 'terms', { operator: this.#lance.Operator[operator] });
  }

  /** Documents that contain the word at this level or higher. */
  word(word: QueryWord, prefix: LevelPrefix): LanceQuery {
    const tokensOf = (keys: readonly number[]) => keys.map((key) => levelToken(prefix, key));
    const forms = alternativeTerms(word).map((pieces) =>
      pieces.every((keys) => keys.length === 1)
        ? this.#match(tokensOf(pieces.flat()), 'And')
        : this.#combine(
            'Must',
            pieces.map((keys) => this.#match(tokensOf(keys), 'Or')),
          ),
    );
    return this.#combine('Should', forms);
  }

  /** All documents of a search; `hasPositions`: phrases are found by positions. */
  matches({ query }: FindRequest, mode: 'all' | 'some', hasPositions: boolean): LanceQuery {
    const { phrases, plainWords } = splitPhrases(query);
    const usesPositions = hasPositions && mode === 'all';
    const words = (usesPositions ? plainWords : query.words).map((word) => this.word(word, 'a'));
    const phraseQueries = usesPositions
      ? phrases.map((word) => new this.#lance.PhraseQuery(phraseTokens(word), 'keys'))
      : [];
    const requiredWords = this.#combine(mode === 'all' ? 'Must' : 'Should', [...words, ...phraseQueries]);
    const excludedWords = query.excludedWords.filter(({ isPhrase }) => !isPhrase);
    if (excludedWords.length === 0) return requiredWords;
    const { BooleanQuery, Occur } = this.#lance;
    return new BooleanQuery([
      [Occur.Must, requiredWords],
      ...excludedWords.map((word): [string, LanceQuery] => [Occur.MustNot, this.word(word, 'a')]),
    ]);
  }
}
