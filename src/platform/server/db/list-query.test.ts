import { asc } from 'drizzle-orm';
import { integer, PgDialect, pgTable, text } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { AppError } from '#platform/contract/errors.ts';
import { contains, orderBy, pageRange, pageSlice, parseOrder, textContains } from './list-query.ts';

const things = pgTable('things', { id: integer(), title: text() });
const { id, title } = things;
const dialect = new PgDialect();

describe('the order of a list', () => {
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
  ])('%j', (input, expected) => {
    expect(parseOrder(input, ['id', 'title'])).toEqual(expected);
  });

  it.each(['secret', 'id; drop table users', 'id asc desc', 'id up', 'constructor', '1', 'id,--'])(
    'refuses %j',
    (order) => {
      const refused = () => parseOrder({ order }, ['id', 'title']);
      expect(refused).toThrow(AppError);
      expect(refused).toThrow('不支持的排序方式，可用的列：id、title');
    },
  );

  it('ends with the usual order, so that pages never overlap', () => {
    const terms = orderBy({ order: 'title' }, { id, title }, [asc(id)]);
    expect(terms.map((term) => dialect.sqlToQuery(term).sql)).toEqual(['"things"."title" desc', '"things"."id" asc']);
  });
});

describe('the words of a filter', () => {
  const patternOf = (wd: string) => {
    const condition = contains([title], wd);
    return condition && dialect.sqlToQuery(condition).params[0];
  };
  it.each([
    ['豆库', '%豆库%'],
    [' a  b ', '%a%b%'],
    ['100%', '%100\\%%'],
    ['a_b\\', '%a\\_b\\\\%'],
    ['   ', undefined],
  ])('%j is looked for as %j', (wd, pattern) => {
    expect(patternOf(wd)).toBe(pattern);
  });

  it.each([
    ['编程语言', '编程', true],
    ['Java Script', 'java script', true],
    ['Java Script', 'script java', false],
    ['100 分', '%', false],
    ['anything', undefined, true],
  ])('in %j for %j: %j', (whole, wd, expected) => {
    expect(textContains([whole], wd)).toBe(expected);
  });
});

describe('the page of a list', () => {
  it('is the whole of a short list when none is asked for', () => {
    expect(pageRange({})).toEqual({ offset: 0 });
    expect(pageSlice([1, 2, 3], {})).toEqual([1, 2, 3]);
  });
  it('has ten rows unless told otherwise', () => {
    expect(pageRange({ page: 3 })).toEqual({ limit: 10, offset: 20 });
    expect(pageRange({ size: 5 })).toEqual({ limit: 5, offset: 0 });
    expect(pageSlice([1, 2, 3], { page: 2, size: 2 })).toEqual([3]);
    expect(pageSlice([1, 2, 3], { page: 9, size: 2 })).toEqual([]);
  });
});
