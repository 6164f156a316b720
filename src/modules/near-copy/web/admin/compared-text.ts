import { useQuery } from '@tanstack/react-query';
import { type PlainPage, plainTextApi } from '#modules/reading/plain-text.contract.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useResultAfterMinimumDisplay } from '#platform/web/use-query-with-minimum-loading.ts';

/** The part of the text that contains the page. The first part tells how many pages a part has. */
export function useTextPart(id: number, page: number) {
  const first = useQuery(endpointQuery(plainTextApi.text, { id }));
  const size = first.data?.size || page;
  const part = Math.ceil(page / size);
  const later = useQuery({ ...endpointQuery(plainTextApi.text, { id, part }), enabled: part > 1 });
  const { data, error, isPending } = useResultAfterMinimumDisplay(part > 1 ? later : first);
  return { pages: data?.page, error: first.error ?? error, isPending: first.isPending || isPending };
}

export const linesOf = ({ rows, paragraphs }: PlainPage): string[] =>
  rows.length > 0 ? rows.map((row) => row.join('\t')) : paragraphs;

/** Letters and digits only: spaces and punctuation do not make a line another one. */
const normalizeLine = (line: string) =>
  line
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The lines that are in none of the given pages of the other document. */
export function findDifferentLines(lines: readonly string[], otherPages: readonly PlainPage[]): Set<string> {
  const otherText = otherPages.map((page) => linesOf(page).map(normalizeLine).join('')).join('');
  return new Set(lines.filter((line) => !otherText.includes(normalizeLine(line))));
}
