import { asc } from 'drizzle-orm';
import { integer, PgDialect, pgTable, text } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { AppError } from '#platform/contract/errors.ts';
import {
  containsWords,
  orderByTerms,
  pageSlice,
  parseOrder,
  textContainsWords,
  toLimitAndOffset,
} from './list-query.ts';

const items = pgTable('items', { id: integer(), title: text() });
const { id, title } = items;
const dialect = new PgDialect();

describe('the order parameter of a list', () => {
  it.each([
    [{}, []],
    [{ order: 'id' }, [{ column: 'id', descending: true }]],
    [{ sort: 'title asc' }, [{ column: 'title', descending: false }]],
    [
      { order: ' title  ASC , id desc,' },
      [
        { column: 'title', descending: false },
        { column: 'id', descending: true },
      ],
    ],
  ])('parseOrder parses %j', (input, expected) => {
    expect(parseOrder(input, ['id', 'title'])).toEqual(expected);
  });

  it.each(['secret', 'id; drop table users', 'id asc desc', 'id up', 'constructor', '1', 'id,--'])(
    'parseOrder rejects %j with the list of allowed columns',
    (order) => {
      const parse = () => parseOrder({ order }, ['id', 'title']);
      expect(parse).toThrow(AppError);
      expect(parse).toThrow('不支持的排序方式，可用的列：id、title');
    },
  );

  it('orderByTerms ends with the default order, so that pages never overlap', () => {
    const terms = orderByTerms({ order: 'title' }, { id, title }, [asc(id)]);
    expect(terms.map((term) => dialect.sqlToQuery(term).sql)).toEqual(['"items"."title" desc', '"items"."id" asc']);
  });
});

describe('the wd filter of a list', () => {
  const patternOf = (wd: string) => {
    const condition = containsWords([title], wd);
    return condition && dialect.sqlToQuery(condition).params[0];
  };
  it.each([
    ['豆库', '%豆库%'],
    [' a  b ', '%a%b%'],
    ['100%', '%100\\%%'],
    ['a_b\\', '%a\\_b\\\\%'],
    ['   ', undefined],
  ])('containsWords turns %j into the pattern %j', (wd, pattern) => {
    expect(patternOf(wd)).toBe(pattern);
  });

  it.each([
    ['编程语言', '编程', true],
    ['Java Script', 'java script', true],
    ['Java Script', 'script java', false],
    ['100 分', '%', false],
    ['anything', undefined, true],
  ])('textContainsWords for the text %j and the words %j is %j', (text, wd, expected) => {
    expect(textContainsWords([text], wd)).toBe(expected);
  });
});

describe('the page and size parameters of a list', () => {
  it('toLimitAndOffset selects all rows without page and size', () => {
    expect(toLimitAndOffset({})).toEqual({ offset: 0 });
    expect(pageSlice([1, 2, 3], {})).toEqual([1, 2, 3]);
  });
  it('toLimitAndOffset selects ten rows per page by default', () => {
    expect(toLimitAndOffset({ page: 3 })).toEqual({ limit: 10, offset: 20 });
    expect(toLimitAndOffset({ size: 5 })).toEqual({ limit: 5, offset: 0 });
    expect(pageSlice([1, 2, 3], { page: 2, size: 2 })).toEqual([3]);
    expect(pageSlice([1, 2, 3], { page: 9, size: 2 })).toEqual([]);
  });
});
