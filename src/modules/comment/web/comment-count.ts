import { createContext } from 'react';

/** Tells the heading that there are more comments, or fewer. */
export const CommentCount = createContext<(by: number) => void>(() => {});
