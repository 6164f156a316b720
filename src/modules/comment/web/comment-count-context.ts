import { createContext } from 'react';

/** Adjusts the number of comments in the heading after a local change. */
export const CommentCount = createContext<(by: number) => void>(() => {});
