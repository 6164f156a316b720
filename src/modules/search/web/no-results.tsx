import { useQuery } from '@tanstack/react-query';
import { useUser } from '#modules/account/web/session-store.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { searchApi } from '../search.contract.ts';
import { DidYouMean } from './did-you-mean.tsx';
import { PopularQueries, QueryLinks } from './query-links.tsx';
import { countFilters, type SearchQuery, searchHref, withoutFilters } from './search-url.ts';
import type { SearchResult } from './use-search.ts';

function explainNoResults({ wd }: SearchQuery, { has_words, is_exact }: SearchResult): string {
  if (!has_words) return '请至少写一个要找的词；减号后面的词是不要的。';
  return is_exact ? `没有文档提到“${wd}”。` : '在最相近的文档里没有找到这个短语，去掉引号可以找到更多。';
}

export function NoResults({ query, result }: { query: SearchQuery; result: SearchResult }) {
  if (result.total > 0)
    return (
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title="这一页没有结果"
        action={<ButtonLink to={searchHref({ ...query, page: 1 })}>回到第一页</ButtonLink>}
      />
    );
  const isFiltered = countFilters(query) > 0;
  return (
    <div className="mx-auto max-w-160">
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title={isFiltered ? '没有符合筛选条件的结果' : '很遗憾，未能检索到相关结果'}
        action={
          isFiltered ? (
            <ButtonLink to={searchHref(withoutFilters(query))}>清除所有筛选</ButtonLink>
          ) : (
            <ButtonLink to="/category" variant="outline">
              浏览全部文档
            </ButtonLink>
          )
        }
      >
        {isFiltered ? '换一个条件，或在全部文档里找。' : explainNoResults(query, result)}
      </EmptyState>
      {result.did_you_mean ? (
        <div className="text-center">
          <DidYouMean word={result.did_you_mean} />
        </div>
      ) : null}
      {isFiltered ? null : (
        <>
          <ul className="mt-4 mb-8 list-disc space-y-1 pl-5 text-14 text-ink-2">
            <li>检查有没有错字，也可以输入拼音，从建议里挑选</li>
            <li>少写几个词，或换一种说法</li>
            <li>去掉引号和减号：引号里的词要一字不差，减号后的词会被排除</li>
          </ul>
          <PopularQueries />
        </>
      )}
    </div>
  );
}

/** Shown before a query is entered. */
export function EmptyQueryState() {
  const isMember = useUser() !== null;
  const history = useQuery({ ...endpointQuery(searchApi.history, {}), enabled: isMember });
  return (
    <div className="mx-auto max-w-160 space-y-8 py-6">
      <div>
        <h1 className="font-serif text-22 font-bold">文档搜索</h1>
        <p className="mt-2 text-14 text-ink-2">
          搜索每一篇文档的每一页，结果直接打开所在的页。引号里的词要一字不差，如“长江大桥”；减号后的词会被排除，如 合同
          -租赁。
        </p>
      </div>
      {isMember ? <QueryLinks title="我搜过的" queries={history.data?.history ?? []} /> : null}
      <PopularQueries />
    </div>
  );
}
